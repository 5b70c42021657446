"""Jinja environments, one per language, and the rendering of sentence templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module

from jinja2 import Environment, StrictUndefined, Template

from crossfact.utils.errors import UserError
from crossfact.utils.grammar.nouns import Noun, noun
from crossfact.utils.grammar.quotes import title

# The module of each language; it holds FILTERS, its filters by name.
LANGUAGES: Mapping[str, str] = {
    "af": "afrikaans",
    "bn": "bengali",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "is": "icelandic",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "pt": "portuguese",
    "sw": "swahili",
    "tr": "turkish",
    "zh": "chinese",
}


def _filter(function: Callable[..., str], lang: str) -> Callable[..., str]:
    def filter_(value: str, *args: str) -> str:
        return function(value if isinstance(value, Noun) else noun(str(value), lang), *args)

    return filter_


def _capitalize(lang: str) -> Callable[[str], str]:
    def cap(value: str) -> str:
        """Makes the first letter a capital and leaves the rest: `{{ s | the | cap }}` → `The Netherlands`.

        A name that is written with a later capital (`iPhone`, `macOS`) is left as it is.
        """
        first_word = re.split(r"\W", value, maxsplit=1)[0]  # not the Italy of l'Italia
        if any(letter.isupper() for letter in first_word[1:]):
            return value
        first = "İ" if lang == "tr" and value.startswith("i") else value[:1].upper()
        return first + value[1:]

    return cap


@cache
def environment(lang: str) -> Environment:
    """Returns the environment with the filters of a language, and `cap` and `title`, which all languages have.

    Raises:
        UserError: The language has no grammar here.
    """
    if lang not in LANGUAGES:
        raise UserError(f"no grammar for the language {lang!r}: use one of {', '.join(LANGUAGES)}, or add a module")
    module = import_module(f"crossfact.utils.grammar.{LANGUAGES[lang]}")
    env = Environment(undefined=StrictUndefined, keep_trailing_newline=False)
    env.filters["cap"] = _capitalize(lang)
    env.filters["title"] = lambda value: title(value, lang)
    for name, function in module.FILTERS.items():
        env.filters[name] = _filter(function, lang)
    return env


@lru_cache(maxsize=10_000)
def _template(template: str, lang: str) -> Template:
    return environment(lang).from_string(template)


def render(template: str, lang: str, **nouns: str) -> str:
    """Renders a sentence template; a plain string among the nouns is taken as a label that only rules can judge.

    A label that ends in a full stop does not double the one that ends the sentence (`… is Apple Inc.`).

    Args:
        template: A Jinja template, such as `"{{ s | the | cap }} borders {{ o | the }}."`.
        lang: The language whose filters the template uses.
        **nouns: What the template's variables stand for.

    Raises:
        UserError: The language has no grammar here.
        jinja2.TemplateError: The template names an unknown filter or variable.
    """
    text = _template(template, lang).render(nouns)
    return text[:-1] if text.endswith("..") and not text.endswith("...") else text
