"""SWORD's tables in the report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from crossfact.sword.answers import EAST_ASIAN, GAP, WESTERN, Answers
from crossfact.sword.distortions import KINDS
from crossfact.sword.report_scores import ALL, document_scores, language_groups, means, pooled, property_shares
from crossfact.utils.report.sections import Cell, Column, Table
from crossfact.utils.report.statistics import Clustered, common_items, differences, holm

ACCURACIES = (*(f"acc_{kind}" for kind in KINDS), "rejection", "balanced", "strict")
RATES = ("false_rate", "unsure_rate", "invalid_rate", "unfinished")
RANDOM = {**dict.fromkeys(ACCURACIES, 0.5), "strict": 0.5 ** len(KINDS)}
"""What a model gets that says True or False at random."""

HEADINGS = {
    **{f"acc_{kind}": kind.upper() for kind in KINDS},
    "false_rate": "said False",
    "unsure_rate": "unsure",
    "invalid_rate": "invalid",
}
COMPARED = ("acc_org", "rejection", "balanced")

_TESTED = (
    "Differences in percentage points, paired by triple. p: swapping the two sides triple by triple; "
    "p (Holm): corrected for all comparisons of this table."
)


def accuracy_table(answers: Answers) -> Table:
    """Return accuracy by model, language and kind of statement."""
    table = _scores(answers, ACCURACIES)
    random: tuple[Cell, ...] = ("random", "any", *(RANDOM[name] for name in ACCURACIES))
    return Table(
        name="sword_accuracy",
        title="Accuracy by model, language and kind of statement",
        columns=(Column("model", "text"), Column("language", "text"), *(Column(_heading(name)) for name in ACCURACIES)),
        rows=(*table, random),
        note="In percent. ORG: true statements accepted; SS, OS, PSS, POS: false ones rejected; rejection: their mean; "
        "balanced: the mean of ORG and rejection; strict: all five statements of a triple right. Unsure and invalid "
        "answers count as wrong. Western, East Asian and all: means over languages.",
    )


def answers_table(answers: Answers) -> Table:
    """Return how often a model says False, is unsure, or gives no valid answer."""
    return Table(
        name="sword_answers",
        title="How often models say False, are unsure, or give no valid answer",
        columns=(Column("model", "text"), Column("language", "text"), *(Column(_heading(name)) for name in RATES)),
        rows=_scores(answers, RATES),
        note="In percent of all statements; four of five statements are false, so the right share of False is 80. "
        "Unfinished: invalid because the model was cut off while it was thinking.",
    )


def models_table(answers: Answers) -> Table:
    """Return paired differences between models, over the languages that both were run in."""
    scores = document_scores(answers)
    run = (answers.codes != GAP).any(axis=(2, 3))
    names, pairs = [], []
    for (one, first), (two, second) in combinations(enumerate(answers.models), 2):
        languages = [lang for place, lang in enumerate(answers.languages) if run[[one, two], place].all()]
        for metric in COMPARED:
            left, right = (pooled(answers, scores[metric], model, languages) for model in (one, two))
            if left is not None and right is not None:
                names.append((first, second, _heading(metric), f"{len(languages)} languages"))
                pairs.append((left, right))
    return _compared(
        "sword_models",
        "Differences between models",
        ("model", "other model", "score", "over"),
        names,
        pairs,
    )


def effects_table(answers: Answers) -> Table:
    """Return each model's property-based − random and Western − East Asian differences."""
    scores = document_scores(answers)
    western, east_asian = (_among(answers, known) for known in (WESTERN, EAST_ASIAN))
    contrasts = {
        "PSS − SS": (("acc_pss", answers.languages), ("acc_ss", answers.languages)),
        "POS − OS": (("acc_pos", answers.languages), ("acc_os", answers.languages)),
        "Western − East Asian, ORG": (("acc_org", western), ("acc_org", east_asian)),
        "Western − East Asian, rejection": (("rejection", western), ("rejection", east_asian)),
    }
    names, pairs = [], []
    for place, label in enumerate(answers.models):
        for contrast, sides in contrasts.items():
            left, right = (pooled(answers, scores[metric], place, languages) for metric, languages in sides)
            if left is not None and right is not None:
                names.append((label, contrast))
                pairs.append((left, right))
    return _compared(
        "sword_effects",
        "Property-based against random distortions, and Western against East Asian languages",
        ("model", "difference"),
        names,
        pairs,
    )


def languages_table(answers: Answers, reference: str = "en") -> Table | None:
    """Return each language's difference to English by model; None where English was not run."""
    if reference not in answers.languages:
        return None
    scores = document_scores(answers)
    names, pairs = [], []
    for place, label in enumerate(answers.models):
        for lang in answers.languages:
            for metric in ("acc_org", "rejection"):
                left, right = (pooled(answers, scores[metric], place, [one]) for one in (lang, reference))
                if lang != reference and left is not None and right is not None:
                    names.append((label, lang, _heading(metric)))
                    pairs.append((left, right))
    return _compared(
        "sword_languages",
        "Each language against English",
        ("model", "language", "score"),
        names,
        pairs,
    )


def shares_table(answers: Answers) -> Table:
    """Return the share of comparisons in which property-based distortions are rejected at least as well as random."""
    found = property_shares(answers)
    sides = ("subject", "object", "both")
    rows: list[tuple[Cell, ...]] = []
    for label in (*answers.models, *([ALL] if len(answers.models) > 1 else [])):
        shares = [found.get((label, side)) for side in sides]
        total = shares[-1].count if shares[-1] else 0
        rows.append((label, *shares, total))
    return Table(
        name="sword_property_shares",
        title="Languages in which property-based distortions are rejected as well as random ones, or better",
        columns=(
            Column("model", "text"),
            Column("PSS ≥ SS"),
            Column("POS ≥ OS"),
            Column("both"),
            Column("comparisons", "count"),
        ),
        rows=tuple(rows),
        note="In percent of model × language comparisons; the paper has 73.75 of 80. Without any difference, one "
        "expects 50 and more, since ties count.",
    )


def _scores(answers: Answers, metrics: Sequence[str]) -> tuple[tuple[Cell, ...], ...]:
    found = means(answers, metrics)
    return tuple(
        (label, group, *(found.get((label, group, name)) for name in metrics))
        for label in answers.models
        for group in language_groups(answers)
    )


def _compared(
    name: str,
    title: str,
    headings: Sequence[str],
    names: Sequence[tuple[str, ...]],
    pairs: Sequence[tuple[Clustered, Clustered]],
) -> Table:
    found = differences([common_items(left, right) for left, right in pairs])
    corrected = holm([difference.p for difference in found])
    rows: list[tuple[Cell, ...]] = [
        (*known, difference, difference.p, p) for known, difference, p in zip(names, found, corrected, strict=True)
    ]
    columns = (*(Column(heading, "text") for heading in headings), Column("difference", "points"))
    return Table(name, title, (*columns, Column("p", "p"), Column("p (Holm)", "p")), tuple(rows), _TESTED)


def _among(answers: Answers, languages: Sequence[str]) -> tuple[str, ...]:
    return tuple(lang for lang in answers.languages if lang in languages)


def _heading(metric: str) -> str:
    return HEADINGS.get(metric, metric)
