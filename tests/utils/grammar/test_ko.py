import pytest

from tests.utils.grammar.cases import bend, parse

CASES = parse("""
- | 서울 | topic 서울은 | subj 서울이 | obj 서울을 | and 서울과 | ro 서울로 | cop 서울이다
- | 서울 | copf 서울입니다 | called 서울이라는
- | 파리 | topic 파리는 | subj 파리가 | obj 파리를 | and 파리와 | ro 파리로 | cop 파리다
- | 파리 | copf 파리입니다 | called 파리라는
- | 부산 | topic 부산은 | ro 부산으로 | conn 부산이며
- | 독일 | and 독일과 | ro 독일로
- | 프랑스 | topic 프랑스는 | conn 프랑스며
- | 8 | topic 8은 | ro 8로
- | 2 | topic 2는
- | 3 | ro 3으로
- | 10 | topic 10은 | ro 10으로
- | 1,000 | topic 1,000은
- | 3.5 | topic 3.5는
- | 0 | topic 0은
- | UTC+09:00 | topic UTC+09:00은
- | FBI | topic FBI는
- | CNN | topic CNN은
- | 파이널 판타지 VII | topic 파이널 판타지 VII은 | cop 파이널 판타지 VII이다
- | HTML | topic HTML은 | ro HTML로
- | Microsoft | topic Microsoft는
- | Facebook | topic Facebook은
- | Google | topic Google은 | ro Google로
- | Apple Inc. | topic Apple Inc.는
- | Jackson | topic Jackson은
- | Bill | ro Bill로
- | .kr | topic .kr은
- | Ag | topic Ag는
- | 『토지』 | topic 『토지』는
- | 미국(USA) | topic 미국(USA)은
- | São Paulo | topic São Paulo는
- | 日本 | topic 日本는
""")


@pytest.mark.parametrize(("label", "name", "expected", "type_"), CASES)
def test_form(label, name, expected, type_):
    assert bend("ko", label, name, type_) == expected


def test_particle_takes_any_pair():
    assert bend("ko", "서울", "particle", None, "이나", "나") == "서울이나"
    assert bend("ko", "파리", "particle", None, "이나", "나") == "파리나"
