"""What a user can set for CLEAR with `--metadata`, checked."""

from __future__ import annotations

from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES

ELICITATION_VOTES = 3
"""How often Task 1 asks each question (the paper's appendix B)."""


def memory_votes(value: object, number: int) -> int:
    """Return how often a closed-book question is asked: by default 3 times in Task 1, once in the others.

    Raises:
        UserError: `value` is not an odd number of at least 1 (an even number of votes can end in a tie).
    """
    if value is None:
        return ELICITATION_VOTES if number == 1 else 1
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or value % 2 == 0:
        raise UserError(f"memory_votes must be an odd number of at least 1, not {value!r}: set it in --metadata")
    return value


def evidence_languages(value: object) -> tuple[str, ...]:
    """Return the languages in which tasks 3 and 4 may give evidence: by default all.

    Raises:
        UserError: `value` is not a list of CLEAR's language codes.
    """
    if value is None:
        return CLEAR_LANGUAGES
    if not isinstance(value, list | tuple) or not value:
        raise UserError(f'evidence_languages must be a list such as ["en", "de"], not {value!r}: set it in --metadata')
    if unknown := [lang for lang in value if lang not in CLEAR_LANGUAGES]:
        raise UserError(f"evidence_languages: {unknown[0]!r} is none of {' '.join(CLEAR_LANGUAGES)}")
    return tuple(value)
