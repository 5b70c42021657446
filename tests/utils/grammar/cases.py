"""Reading of the tables that the tests of each language are written in."""

from crossfact.utils.grammar import environment, noun

Case = tuple[str, str, str, str | None]


def parse(table: str) -> list[Case]:
    """Reads lines of `type | label | filter expected | filter expected …` into (label, filter, expected, type)."""
    cases: list[Case] = []
    for line in table.strip().splitlines():
        type_, label, *forms = [cell.strip() for cell in line.split("|")]
        for form in forms:
            name, expected = form.split(" ", 1)
            cases.append((label, name, expected.strip(), type_ if type_ != "-" else None))
    return cases


def bend(lang: str, label: str, name: str, type_: str | None, *args: str) -> str:
    """Applies one filter to a label."""
    return environment(lang).filters[name](noun(label, lang, None, type_), *args)
