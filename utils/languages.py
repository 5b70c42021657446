"""The languages of the three benchmarks, by BCP-47 code."""

from __future__ import annotations

ENGLISH_NAMES: dict[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "ko": "Korean",
    "ja": "Japanese",
    "zh": "Chinese",
    "bn": "Bengali",
    "tr": "Turkish",
    "sw": "Swahili",
    "is": "Icelandic",
    "af": "Afrikaans",
}
"""The English name of every language in which facts have labels."""

FIBER_LANGUAGES = ("en", "it", "tr")
SWORD_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ko", "ja")
CLEAR_LANGUAGES = ("en", "de", "zh", "ja", "tr", "bn", "sw", "is", "af", "fr")
"""The paper's text names the first nine; French is our choice for the tenth."""
