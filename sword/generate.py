"""Writes the YAML files of `lm_eval_tasks/sword` that follow from the list of languages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from crossfact.sword.likelihood import LL_METRICS
from crossfact.sword.metrics import METRICS
from crossfact.utils.languages import SWORD_LANGUAGES

VERSION = "1.0"
LIKELIHOOD = Path(__file__).parent / "data" / "likelihood.yaml"

_LEAF = """\
include: _sword_template
task: sword_{lang}
dataset_kwargs: {{lang: {lang}}}
"""

_LL_LEAF = """\
include: _sword_ll_template
task: sword_ll_{lang}
dataset_kwargs: {{lang: {lang}}}
doc_to_text: {prompt}
doc_to_choice: {words}
"""

_GROUP = """\
group: {name}
group_alias: {alias}
task:
{tasks}
aggregate_metric_list:
{metrics}
metadata: {{version: {version}}}
"""

_METRIC = "  - {{metric: {metric}, aggregation: mean, weight_by_size: true, filter_list: [answer]}}"


def write_tasks(folder: Path) -> None:
    """Write a leaf per language and the group of `sword`, and the same of `sword_ll`, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = yaml.safe_load(LIKELIHOOD.read_text(encoding="utf-8"))
    for lang in SWORD_LANGUAGES:
        _write(folder, f"sword_{lang}", _LEAF.format(lang=lang))
        _write(folder, f"sword_ll_{lang}", _likelihood_leaf(lang, questions[lang]))
    _write(folder, "sword", _group("sword", "SWORD", METRICS))
    _write(folder, "sword_ll", _group("sword_ll", "SWORD by log-likelihood", LL_METRICS))


def _likelihood_leaf(lang: str, question: dict[str, Any]) -> str:
    prompt, words = (
        json.dumps(part, ensure_ascii=False) for part in (question["prompt"], [question["true"], question["false"]])
    )
    space = "" if question.get("space", True) else 'target_delimiter: ""\n'
    return _LL_LEAF.format(lang=lang, prompt=prompt, words=words) + space


def _group(name: str, alias: str, metrics: Iterable[str]) -> str:
    return _GROUP.format(
        name=name,
        alias=alias,
        tasks="\n".join(f"  - {name}_{lang}" for lang in SWORD_LANGUAGES),
        metrics="\n".join(_METRIC.format(metric=metric) for metric in metrics),
        version=VERSION,
    )


def _write(folder: Path, name: str, content: str) -> None:
    (folder / f"{name}.yaml").write_text(content, encoding="utf-8")
