"""SWORD's scores from an array of answers: what the report's tables and figures show, without their looks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from crossfact.sword.answers import (
    CUT_OFF,
    EAST_ASIAN,
    GAP,
    NO_ANSWER,
    NOT_SURE,
    RIGHT,
    WESTERN,
    WRONG,
    Answers,
    Floats,
)
from crossfact.sword.distortions import KINDS
from crossfact.utils.report.statistics import Clustered, Estimate, bootstrap_means, estimates

ORG, SS, OS, PSS, POS = range(len(KINDS))
HARDEST = 2
"""Statements that this many languages or fewer get right are one level of difficulty."""

PROPERTY_BASED = {"subject": (PSS, SS), "object": (POS, OS)}
"""The part that is replaced → the property-based kind of statement and the random one."""

ALL = "all"
GROUPS = {"Western": WESTERN, "East Asian": EAST_ASIAN}


def document_scores(answers: Answers) -> dict[str, Floats]:
    """Return each metric of the result table for each document: shape (models, languages, items), NaN for a gap."""
    right, codes = answers.right, answers.codes
    gap = (codes == GAP).any(axis=-1)
    rejection = right[..., 1:].mean(axis=-1)
    # said False: wrongly of the original, rightly of a distortion
    said_false = (codes[..., ORG] == WRONG).astype(float) + (codes[..., 1:] == RIGHT).sum(axis=-1)
    scores = {
        **{f"acc_{kind}": right[..., place] for place, kind in enumerate(KINDS)},
        "rejection": rejection,
        "balanced": (right[..., ORG] + rejection) / 2,
        "strict": right.min(axis=-1),
        "false_rate": said_false / len(KINDS),
        "unsure_rate": (codes == NOT_SURE).mean(axis=-1),
        "invalid_rate": (codes >= NO_ANSWER).mean(axis=-1),
        "unfinished": (codes == CUT_OFF).mean(axis=-1),
    }
    return {name: np.where(gap, np.nan, values) for name, values in scores.items()}


def language_groups(answers: Answers) -> dict[str, tuple[str, ...]]:
    """Return each language, all of them, and Western and East Asian ones: what tables have rows for."""
    groups = {name: tuple(lang for lang in answers.languages if lang in known) for name, known in GROUPS.items()}
    several = {ALL: answers.languages, **groups} if len(answers.languages) > 1 else {}
    return {
        **{lang: (lang,) for lang in answers.languages},
        **{name: known for name, known in several.items() if known},
    }


def pooled(answers: Answers, scores: Floats, model: int, languages: Sequence[str]) -> Clustered | None:
    """Return a model's scores in some languages, summed up by item; None if it was not run in one of them.

    Args:
        answers: What the scores come from.
        scores: Shape (models, languages, items).
        model: The model's place.
        languages: Which languages.
    """
    chosen = scores[model, [answers.languages.index(lang) for lang in languages]]
    if not len(chosen) or np.isnan(chosen).all(axis=1).any():
        return None
    return Clustered(np.nansum(chosen, axis=0), (~np.isnan(chosen)).sum(axis=0).astype(float), answers.items)


def means(answers: Answers, names: Sequence[str]) -> dict[tuple[str, str, str], Estimate]:
    """Return (model, group of languages, metric) → mean with interval; what was not run is not in it."""
    scores = document_scores(answers)
    found = {
        (label, group, name): clustered
        for place, label in enumerate(answers.models)
        for group, languages in language_groups(answers).items()
        for name in names
        if (clustered := pooled(answers, scores[name], place, languages)) is not None
    }
    return dict(zip(found, estimates(list(found.values())), strict=True))


def property_shares(answers: Answers) -> dict[tuple[str, str], Estimate]:
    """Return how often property-based distortions are rejected as well as random ones, or better.

    The paper's section 4.1 has 73.75 % of 80 model × language × side comparisons.

    Returns:
        (model or `ALL`, `subject`, `object` or `both`) → the share of comparisons; `count` is how many there are.
    """
    scores = document_scores(answers)
    compared: list[tuple[str, str]] = []
    pairs: list[tuple[Clustered, Clustered]] = []
    for (side, kinds), (place, label) in product(PROPERTY_BASED.items(), enumerate(answers.models)):
        for lang in answers.languages:
            near, random = (pooled(answers, scores[f"acc_{KINDS[kind]}"], place, [lang]) for kind in kinds)
            if near is not None and random is not None:
                compared.append((label, side))
                pairs.append((near, random))
    if not pairs:
        return {}
    observed = np.array([near.mean - random.mean for near, random in pairs])
    drawn = bootstrap_means([near for near, _ in pairs]) - bootstrap_means([random for _, random in pairs])
    found = {}
    for key in product((*answers.models, ALL), (*PROPERTY_BASED, "both")):
        chosen = [place for place, known in enumerate(compared) if _covers(key, known)]
        if chosen:
            low, high = np.percentile(_in_favour(drawn[chosen]).mean(axis=0), [2.5, 97.5])
            share = float(_in_favour(observed[chosen]).mean())
            found[key] = Estimate(share, float(low), float(high), len(chosen))
    return found


def _covers(key: tuple[str, str], compared: tuple[str, str]) -> bool:
    return key[0] in (compared[0], ALL) and key[1] in (compared[1], "both")


def _in_favour(differences: Floats) -> Floats:
    return (differences >= -1e-12).astype(float)


def difficulty(answers: Answers, model: int, kind: int) -> dict[str, list[tuple[float, int]]]:
    """Return a model's accuracy by language at each level of difficulty of a kind of statement (Figure 3).

    A statement's difficulty is in how many of the model's languages it is right, among those with an answer in all.

    Returns:
        `n/n` down to `≤2/n` → (accuracy, statements) for each language of `answers`; NaN where there is no statement
        or the model was not run. Nothing if it was run in two languages or fewer.
    """
    right = answers.right[model, :, :, kind]
    run = ~np.isnan(right).all(axis=1)
    if run.sum() <= HARDEST:
        return {}
    whole = ~np.isnan(right[run]).any(axis=0)
    level = np.maximum(right[run][:, whole].sum(axis=0), HARDEST).astype(int)
    number = int(run.sum())
    found = {}
    for known in range(number, HARDEST - 1, -1):
        at = level == known
        name = f"{'≤' if known == HARDEST else ''}{known}/{number}"
        chosen = right[:, whole][:, at]
        found[name] = [(float(row.mean()) if at.any() else np.nan, int(at.sum())) for row in chosen]
    return found


def jaccard(errors: Floats) -> Floats:
    """Return how alike the sets of errors are, for each pair: shared errors as a share of all errors of both.

    Args:
        errors: 1 for an error, 0 for none, NaN for a gap; shape (sets, statements). A pair is compared on the
            statements that both have.

    Returns:
        Shape (sets, sets); NaN where neither has an error, or nothing in common was asked.
    """
    known = ~np.isnan(errors)
    wrong = np.where(known, errors, 0.0)
    shared = wrong @ wrong.T
    either = wrong @ known.T.astype(float)
    either = either + either.T - shared
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(either > 0, shared / either, np.nan)
