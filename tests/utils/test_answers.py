from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.utils.answers import (
    answer,
    contains,
    exact,
    fold,
    occurs,
    tidy,
    truth_value,
    truth_words,
    without_thinking,
)
from crossfact.utils.languages import CLEAR_LANGUAGES

LANGS = st.sampled_from(CLEAR_LANGUAGES)
TEXTS = st.text() | st.text(
    alphabet=st.sampled_from("aAiIİıßéদিঁ্১１½ﾞｶ 　\n\t*_`#->\"'“”「」。.।:：?\u200b\u200d\u200f\u0301\u0307A"),
    max_size=30,
)


@pytest.mark.parametrize(
    ("response", "gold", "lang"),
    [
        ("İSTANBUL", "istanbul", "tr"),
        ("IĞDIR", "ığdır", "tr"),
        ("IRAN", "iran", "en"),
        ("İstanbul", "istanbul", "en"),
        ("「東京」。", "東京", "ja"),
        ("ＮＡＳＡ", "NASA", "ja"),
        ("ｶﾞﾝﾀﾞﾑ", "ガンダム", "ja"),
        ("১৯৭১", "1971", "bn"),
        ("１９７１", "১৯৭১", "bn"),
        ("\u200fParis\u200b", "Paris", "en"),
        ("**“Paris”**", "Paris", "en"),
        ("\n\n  Paris\nbecause", "Paris", "en"),
        ("Answer: Paris.", "Paris", "en"),
        ("**Answer:** `Paris`", "Paris", "en"),
        ("**Answer:**\nParis", "Paris", "en"),
        ("```\nParis\n```", "Paris", "en"),
        ("Answer：巴黎", "巴黎", "zh"),
        ("答案是：巴黎。", "巴黎", "zh"),
        ("উত্তর: ঢাকা।", "ঢাকা", "bn"),
        ("Réponse : « Paris »", "Paris", "fr"),
        ('The answer to the question is: "Paris."', "Paris", "en"),
        ("- Paris", "Paris", "en"),
        ("# Paris", "Paris", "en"),
        ("STRASSE", "Straße", "de"),
        ("Côte d’Ivoire", "Côte d'Ivoire", "fr"),
        ("New\u00a0  York", "New York", "en"),
        ("<think>Lyon?</think>\n\nParis", "Paris", "en"),
        ("Lyon? No.</think>Paris", "Paris", "en"),
        ("য়", "য়", "bn"),
    ],
)
def test_the_same_answer(response: str, gold: str, lang: str) -> None:
    assert exact(response, gold, lang)
    assert contains(response, [gold], lang)


@pytest.mark.parametrize(
    ("response", "gold", "lang"),
    [
        ("½", "12", "en"),
        ("কি", "ক", "bn"),
        ("কি", "কী", "bn"),
        ("IRAN", "iran", "tr"),
        ("Paris", "Pari", "en"),
        ("", "Paris", "en"),
        ("***", "Paris", "en"),
        ("<think>Paris", "Paris", "en"),
        ("<think>a</think><think>Paris", "Paris", "en"),
        ("Lyon\nParis", "Paris", "en"),
        ("C", "C#", "en"),
        ("a.", "Paris", "en"),
    ],
)
def test_another_answer(response: str, gold: str, lang: str) -> None:
    assert not exact(response, gold, lang)
    assert not contains(response, gold, lang)


@pytest.mark.parametrize("nothing", ["", " ", "。", "**", "\u200b", "Answer:"])
def test_what_normalizes_to_nothing_matches_nothing(nothing: str) -> None:
    assert answer(nothing, "en") == ""
    assert not exact(nothing, [nothing, "Paris"], "en")
    assert not contains("Paris", [nothing], "en")
    assert not contains("巴黎", [nothing], "zh")


def test_a_bare_string_is_one_alias() -> None:
    assert not exact("P", "Paris", "en")
    assert not contains("a P b", "Paris", "en")
    assert exact("Paris", "Paris", "en")


@pytest.mark.parametrize(
    ("alias", "text", "lang", "found"),
    [
        ("Paris", "It is Paris, France", "en", True),
        ("Paris", "Parisian", "en", False),
        ("art", "Rembrandt's cart", "en", False),
        ("İstanbul", "Cevap İstanbul'dur", "tr", True),
        ("ঢাকা", "রাজধানী ঢাকা।", "bn", True),
        ("ঢাকা", "রাজধানী ঢাকার", "bn", False),
        ("ক", "কি", "bn", False),
        ("东京", "答案是东京都", "zh", True),
        ("東京", "東京です", "ja", True),
        ("東京", "東京です", "en", False),
        ("9", "1990", "en", False),
        ("P!nk", "by P!nk today", "en", True),
        ("Wham!", "by Wham! in 1984", "en", True),
    ],
)
def test_occurs_as_whole_tokens_or_as_a_substring(alias: str, text: str, lang: str, found: bool) -> None:
    assert occurs(alias, text, lang) is found


@pytest.mark.parametrize(
    ("response", "lang", "value"),
    [
        ("是。", "zh", True),
        ("不是", "zh", False),
        ("这是错误的", "zh", False),
        ("答案是假", "zh", False),
        ("没错", "zh", True),
        ("hayır", "tr", False),
        ("HAYIR", "tr", False),
        ("Doğru değil.", "tr", False),
        ("untrue", "en", False),
        ("That is not true.", "en", False),
        ("It isn’t true", "en", False),
        ("True", "en", True),
        ("**True**", "bn", True),
        ("False.", "sw", False),
        ("Si kweli", "sw", False),
        ("Kweli", "sw", True),
        ("Ósatt", "is", False),
        ("Dit is nie waar nie.", "af", False),
        ("সত্য নয়", "bn", False),
        ("正しくないです", "ja", False),
        ("間違いない", "ja", True),
        ("はい、そうです", "ja", True),
        ("True or false", "en", None),
        ("Ja und nein", "de", None),
        ("Perhaps", "en", None),
        ("constructed", "en", None),
        ("", "en", None),
        ("<think>True", "en", None),
        ("不是假的。", "zh", True),
        ("并非正确", "zh", False),
        ("正确答案为：错误", "zh", False),
        ("真です。", "ja", True),
        ("偽である", "ja", False),
        ("間違っていません", "ja", True),
        ("回答は正しい。", "ja", True),
        ("○", "ja", True),
        ("সত্য না", "bn", False),
        ("মিথ্যা না।", "bn", True),
        ("উত্তর হলো সত্য।", "bn", True),
        ("Jibu sahihi ni: si ukweli", "sw", False),
        ("Rétt svar: ósatt", "is", False),
        ("Nie juis nie.", "af", False),
        ("\n\nNon.\n", "fr", False),
    ],
)
def test_truth_value(response: str, lang: str, value: bool | None) -> None:
    assert truth_value(response, lang) is value


def test_a_whole_truth_word_is_the_answer_and_nothing_else() -> None:
    assert truth_value("True.", "en", whole=True) is True
    assert truth_value("It is true", "en", whole=True) is None
    assert truth_value("untrue", "en", whole=True) is not True


@pytest.mark.parametrize("lang", CLEAR_LANGUAGES)
def test_every_language_reads_its_own_truth_words(lang: str) -> None:
    true, false = truth_words(lang)
    assert truth_value(true, lang, whole=True) is True
    assert truth_value(false.upper(), lang, whole=True) is False


def test_thinking_without_end_is_no_answer() -> None:
    assert without_thinking("<think>still") is None
    assert without_thinking("<think>a</think>b<think>c</think>d") == "bd"
    assert without_thinking("<THINK>a</THINK>b") == "b"


@given(TEXTS, LANGS)
def test_folding_and_tidying_twice_changes_nothing(text: str, lang: str) -> None:
    assert fold(fold(text, lang), lang) == fold(text, lang)
    assert tidy(tidy(text, lang), lang) == tidy(text, lang)


@given(TEXTS, TEXTS, LANGS)
def test_nothing_crashes_and_exact_implies_contains(response: str, alias: str, lang: str) -> None:
    truth_value(response, lang)
    if exact(response, alias, lang):
        assert contains(response, alias, lang)
        assert answer(response, lang)


@given(TEXTS, LANGS)
def test_an_answer_matches_itself(text: str, lang: str) -> None:
    said = answer(text, lang)
    assert bool(said) == exact(text, said, lang)
