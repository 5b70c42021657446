"""Writes the task files of CLEAR that the harness reads: one leaf per dataset, task and language, and their groups.

Prompts, filters and metrics are not generated: they stand in the files without an ending (`_popqa`, `_task1`, …).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from crossfact.clear.items import DATASETS
from crossfact.utils.languages import CLEAR_LANGUAGES

TASKS = (1, 2, 3, 4)


class _Loader(yaml.SafeLoader):
    """Reads the harness's YAML without importing the functions that it names."""


_Loader.add_constructor("!function", lambda loader, node: node.value)


def write_tasks(folder: Path) -> list[Path]:
    """Write all leaves and groups below `folder`, which holds the templates.

    Returns:
        The files that were written, in a fixed order.
    """
    written = []
    for dataset in DATASETS:
        (folder / dataset).mkdir(exist_ok=True)
        for number in TASKS:
            group = f"clear_{dataset}_task{number}"
            leaves = [f"{group}_{lang}" for lang in CLEAR_LANGUAGES]
            for leaf, lang in zip(leaves, CLEAR_LANGUAGES, strict=True):
                written.append(_write(folder / dataset / f"{leaf}.yaml", _leaf(leaf, dataset, number, lang)))
            content = _group(group, leaves, _metrics(folder / f"_task{number}"))
            written.append(_write(folder / dataset / f"{group}.yaml", content))
        content = _group(f"clear_{dataset}", [f"clear_{dataset}_task{number}" for number in TASKS])
        written.append(_write(folder / dataset / f"clear_{dataset}.yaml", content))
    content = _group("clear", [f"clear_{dataset}" for dataset in DATASETS])
    written.append(_write(folder / "clear.yaml", content))
    return written


def _leaf(name: str, dataset: str, number: int, lang: str) -> str:
    return (
        f"include: [../_{dataset}, ../_task{number}]\n"
        f"task: {name}\n"
        f"dataset_kwargs: {{dataset: {dataset}, number: {number}, lang: {lang}}}\n"
    )


def _group(name: str, members: Iterable[str], metrics: Iterable[str] = ()) -> str:
    lines = [f"group: {name}", "task:", *(f"  - {member}" for member in members)]
    if metrics := list(metrics):
        lines.append("aggregate_metric_list:")
    for metric in metrics:
        lines += [f"  - metric: {metric}", "    aggregation: mean", "    weight_by_size: false"]
    return "\n".join([*lines, "metadata:", "  version: 1.0"]) + "\n"


def _metrics(template: Path) -> list[str]:
    content = yaml.load(template.read_text(encoding="utf-8"), Loader=_Loader)
    return [metric["metric"] for metric in content["metric_list"]]


def _write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path
