"""List the entities that lack a label: `python -m crossfact.utils.facts.sources.missing [--json] [language …]`."""

from __future__ import annotations

import argparse
import json

from crossfact.utils.facts.schema import Facts
from crossfact.utils.facts.sources.build_all import build
from crossfact.utils.facts.sources.part import LANGUAGES


def missing(facts: Facts, languages: tuple[str, ...] = LANGUAGES) -> dict[str, dict[str, str]]:
    """Language → entity id → "type: a name it has", sorted, for the entities with no label in the language."""
    lists: dict[str, dict[str, str]] = {}
    for lang in languages:
        lacking = [entity for key, entity in sorted(facts.entities.items()) if not facts.has_label(key, lang)]
        lists[lang] = {e.id: f"{e.type}: {e.labels.get('en') or next(iter(e.labels.values()))}" for e in lacking}
    return lists


def main() -> None:
    """Print the lists, as text or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", help="language codes; all of ours when none is given")
    parser.add_argument("--json", action="store_true", help="print {language: {id: type and name}}")
    arguments = parser.parse_args()
    lists = missing(build(), tuple(arguments.languages) or LANGUAGES)
    if arguments.json:
        print(json.dumps(lists, ensure_ascii=False, indent=1))
        return
    for lang, lacking in lists.items():
        print(f"{lang}: {len(lacking)}")
        for key, name in lacking.items():
            print(f"  {key}  # {name}")


if __name__ == "__main__":
    main()
