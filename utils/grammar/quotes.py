"""The quotation marks of a work's title in each language (`data/quotes.yaml`)."""

from __future__ import annotations

from crossfact.utils.grammar.nouns import data


def title(label: str, lang: str) -> str:
    """Puts the title of a work between the language's quotation marks: `„Faust“`, `«Faust»`, `《阿Q正传》`.

    A label that already stands between them is left as it is.
    """
    before, after = data("quotes")[lang]
    if label.startswith(before) and label.endswith(after):
        return label
    return f"{before}{label}{after}"
