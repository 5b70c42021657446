"""Writes the YAML files of `lm_eval_tasks/sword` that follow from the list of languages."""

from __future__ import annotations

from pathlib import Path

from crossfact.sword.metrics import METRICS
from crossfact.utils.languages import SWORD_LANGUAGES

VERSION = "1.0"

_LEAF = """\
include: _sword_template
task: sword_{lang}
dataset_kwargs: {{lang: {lang}}}
"""

_GROUP = """\
group: sword
group_alias: SWORD
task:
{tasks}
aggregate_metric_list:
{metrics}
metadata: {{version: {version}}}
"""

_METRIC = "  - {{metric: {metric}, aggregation: mean, weight_by_size: true, filter_list: [answer]}}"


def write_tasks(folder: Path) -> None:
    """Write `sword_<lang>.yaml` for each language, and the group `sword`, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for lang in SWORD_LANGUAGES:
        (folder / f"sword_{lang}.yaml").write_text(_LEAF.format(lang=lang), encoding="utf-8")
    group = _GROUP.format(
        tasks="\n".join(f"  - sword_{lang}" for lang in SWORD_LANGUAGES),
        metrics="\n".join(_METRIC.format(metric=metric) for metric in METRICS),
        version=VERSION,
    )
    (folder / "sword.yaml").write_text(group, encoding="utf-8")
