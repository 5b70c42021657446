"""Statements that a model writes (the paper's section 3; the generation prompt of its appendix B), and their checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from jinja2 import StrictUndefined, Template

from crossfact.utils.facts import Facts, Triple
from crossfact.utils.languages import ENGLISH_NAMES
from crossfact.utils.llm import Reply, UnusableError, generate

_PROMPT = Path(__file__).parent / "data" / "verbalize.j2"

_THOUGHT = re.compile(r"^.*</think>", re.DOTALL | re.IGNORECASE)
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_END = re.compile(r"[.!?…]+(?=\s|$)|[。！？]+")
_WORD = re.compile(r"\w+")

_INFLECTED = 4
"""Words of a label that are shorter (articles, prepositions, numbers) may change or join others."""
_ENDING = 2
"""So many letters at the end of a longer word may be another ending, as in `Vereinigten Staaten`."""


Asked = tuple[Triple, str]
"""A triple, and the language to say it in."""


def verbalize(model: str, model_args: str, facts: Facts, asked: Sequence[Asked]) -> list[Reply[str]]:
    """Have a model write one sentence for each triple in its language.

    Args:
        model: The name of a harness backend.
        model_args: Its arguments.
        facts: Where the labels are.
        asked: What to write.

    Returns:
        A reply for each; its value is the sentence, or None with the problem.
    """

    def parse(place: int, text: str) -> str:
        triple, lang = asked[place]
        return checked_sentence(text, _names(facts, triple.subject, lang), _names(facts, triple.object, lang))

    prompts = [prompt(facts, triple, lang) for triple, lang in asked]
    return generate(model, model_args, prompts, parse, description="Writing statements")


def prompt(facts: Facts, triple: Triple, lang: str) -> str:
    """Return the generation prompt."""
    return _template().render(
        language=ENGLISH_NAMES[lang],
        subject=facts.label(triple.subject, lang),
        property=facts.properties[triple.property].labels[lang],
        object=facts.label(triple.object, lang),
    )


def checked_sentence(text: str, subject: Sequence[str], object_: Sequence[str]) -> str:
    """Return the sentence in a model's answer.

    Args:
        text: The answer.
        subject: The subject's names, any of which will do.
        object_: The object's names.

    Raises:
        UnusableError: There is no text in tags, it is not one sentence, or it does not name both.
    """
    found = _ANSWER.findall(_THOUGHT.sub("", text))
    if len(found) != 1:
        raise UnusableError("not one answer in tags")
    sentence = " ".join(found[0].split())
    if "\n" in found[0].strip() or not _is_one_sentence(sentence, (*subject, *object_)):
        raise UnusableError("not one sentence")
    for names, part in ((subject, "subject"), (object_, "object")):
        if not any(_occurs(name, sentence) for name in names):
            raise UnusableError(f"the {part} is not named")
    return sentence


@cache
def _template() -> Template:
    return Template(_PROMPT.read_text(encoding="utf-8").strip(), undefined=StrictUndefined)


def _names(facts: Facts, entity_id: str, lang: str) -> tuple[str, ...]:
    return (facts.label(entity_id, lang), *facts.aliases(entity_id, lang))


def _is_one_sentence(sentence: str, names: Iterable[str]) -> bool:
    rest = sentence
    for name in sorted(names, key=len, reverse=True):  # a name may hold a full stop: Apple Inc., R.U.R.
        rest = rest.replace(name, "x")
    return bool(rest.strip()) and len(_END.findall(rest)) <= 1


def _occurs(name: str, sentence: str) -> bool:
    """Tell whether a sentence names something, perhaps with another ending (`der Vereinigten Staaten`)."""
    name, sentence = (unicodedata.normalize("NFKC", text).casefold() for text in (name, sentence))
    if name in sentence:
        return True
    long_words = [word for word in _WORD.findall(name) if len(word) >= _INFLECTED]
    words = _WORD.findall(sentence)
    return bool(long_words) and all(any(word.startswith(sought[:-_ENDING]) for word in words) for sought in long_words)
