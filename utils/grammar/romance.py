"""What French, Italian, Portuguese and Spanish share: gender by ending, and agreement in number."""

from __future__ import annotations

from crossfact.utils.grammar.nouns import Noun


def gender(label: Noun) -> str:
    """Returns the class (`m`, `f`, `mp`, `fp`, …), where `ending` means: f if the first word ends in -a."""
    if label.class_ != "ending":
        return label.class_
    words = label.split()
    return "f" if words and words[0].endswith("a") else "m"


def verb(label: Noun, singular: str, plural: str) -> str:
    """The verb form that agrees with the label's number."""
    return plural if label.class_ in ("mp", "fp") else singular
