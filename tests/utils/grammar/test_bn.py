import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
- | ফ্রান্স | gen ফ্রান্সের | loc ফ্রান্সে | acc ফ্রান্সকে
- | ইতালি | gen ইতালির | loc ইতালিতে
- | কানাডা | gen কানাডার | loc কানাডায়
- | রাশিয়া | gen রাশিয়ার | loc রাশিয়ায়
- | পেরু | gen পেরুর | loc পেরুতে
- | টোকিও | gen টোকিওর | loc টোকিওতে
- | মুম্বাই | gen মুম্বাইয়ের | loc মুম্বাইয়ে
- | হংকং | gen হংকংয়ের | loc হংকংয়ে
- | যুক্তরাজ্য | gen যুক্তরাজ্যের | loc যুক্তরাজ্যে
- | উরুগুয়ে | gen উরুগুয়ের | loc উরুগুয়েতে
- | হিমালয় | gen হিমালয়ের
- | ভবিষ্যৎ | gen ভবিষ্যৎ-এর
- | .bd | gen .bd-এর | loc .bd-এ
- | UNESCO | acc UNESCO-কে
- | ৮ | gen ৮-এর
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("bn", label, name, type_) == expected
