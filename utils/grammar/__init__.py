"""Articles, contractions, particles and suffixes of any label inside a sentence template.

    >>> from crossfact.utils.grammar import noun, render
    >>> render("La capitale {{ s | di }} è {{ o }}.", "it", s=noun("Italia", "it", "Q38"), o=noun("Roma", "it"))
    "La capitale dell'Italia è Roma."

The filters of each language are documented in its module (`italian`, `turkish`, …); README.md has them in one table.
"""

from crossfact.utils.grammar.nouns import Noun, noun
from crossfact.utils.grammar.templates import LANGUAGES, environment, render

__all__ = ["LANGUAGES", "Noun", "environment", "noun", "render"]
