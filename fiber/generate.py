"""Writing the YAML of FIBER's tasks and groups, which `lm_eval_tasks/fiber` holds."""

from __future__ import annotations

from pathlib import Path

from crossfact.fiber.generate_list import list_files
from crossfact.fiber.scoring import metric_names
from crossfact.fiber.topics import TOPICS, Topic
from crossfact.utils.languages import FIBER_LANGUAGES

VERSION = 1.0
"""Rises whenever numbers can change, with a line in the family's changelog."""

_TEMPLATE = """\
# What all FIBER tasks share. Written by `crossfact tasks`, as are all files here but the README.
class: !function crossfact.fiber.task.FiberTask
custom_dataset: !function crossfact.fiber.loading.load
test_split: test
fewshot_split: fewshot
fewshot_config:
  sampler: first_n
  doc_to_target: "{{{{choices[gold[0]]}}}}"
output_type: multiple_choice
doc_to_text: prompt
doc_to_choice: choices
doc_to_target: gold
# each candidate carries its own leading space
target_delimiter: ""
process_results: !function crossfact.fiber.scoring.score_document
metadata:
  version: {version}
"""


def write_tasks(folder: Path) -> None:
    """Write the tasks and groups of FIBER into `folder`, which is `lm_eval_tasks/fiber` in a checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.yaml"), *folder.glob("_fiber_*")):
        old.unlink()
    for name, text in task_files().items():
        (folder / name).write_text(text, encoding="utf-8")


def task_files() -> dict[str, str]:
    """Return the file names and contents of all tasks and groups."""
    files = {"_fiber_template": _TEMPLATE.format(version=VERSION)}
    for topic in TOPICS.values():
        for lang in FIBER_LANGUAGES:
            files[_metrics_file(topic, lang)] = _metrics(topic, lang)
            files[f"{_task(topic, lang)}.yaml"] = _leaf(topic, lang)
    files["fiber.yaml"] = _group("fiber", ["fiber_single", "fiber_multi"], list(TOPICS.values()))
    for kind, multi in (("single", False), ("multi", True)):
        topics = [topic for topic in TOPICS.values() if topic.multi is multi]
        tasks = [_task(topic, lang) for topic in topics for lang in FIBER_LANGUAGES]
        files[f"fiber_{kind}.yaml"] = _group(f"fiber_{kind}", tasks, topics)
    for lang in FIBER_LANGUAGES:
        tasks = [_task(topic, lang) for topic in TOPICS.values()]
        files[f"fiber_{lang}.yaml"] = _group(f"fiber_{lang}", tasks, list(TOPICS.values()), [lang])
    return files | list_files()


def _task(topic: Topic, lang: str) -> str:
    return f"fiber_{topic.name}_{lang}"


def _metrics_file(topic: Topic, lang: str) -> str:
    return f"_fiber_{'multi' if topic.multi else 'single'}{'_biased' if topic.has_bias(lang) else ''}"


def _leaf(topic: Topic, lang: str) -> str:
    return (
        f"include: {_metrics_file(topic, lang)}\n"
        f"task: {_task(topic, lang)}\n"
        "dataset_kwargs:\n"
        f"  topic: {topic.name}\n"
        f"  lang: {lang}\n"
    )


def _metrics(topic: Topic, lang: str) -> str:
    lines = ["include: _fiber_template", "metric_list:"]
    for metric in metric_names(topic, lang):
        # A metric that some prompts have no part in is NaN there; the others need no bootstrap.
        plain = not topic.multi and metric in ("map", "p_at_1")
        lines.append(f"  - metric: {metric}")
        lines.append(f"    aggregation: {'mean' if plain else 'nanmean'}")
        lines.append(f"    higher_is_better: {str(not metric.startswith('fib')).lower()}")
    return "\n".join(lines) + "\n"


def _group(name: str, tasks: list[str], topics: list[Topic], langs: list[str] | None = None) -> str:
    metrics = dict.fromkeys(
        metric for topic in topics for lang in langs or FIBER_LANGUAGES for metric in metric_names(topic, lang)
    )
    lines = [f"group: {name}", "task:", *(f"  - {task}" for task in tasks), "aggregate_metric_list:"]
    for metric in metrics:
        lines += [f"  - metric: {metric}", "    aggregation: mean", "    weight_by_size: false"]
    lines += ["metadata:", f"  version: {VERSION}"]
    return "\n".join(lines) + "\n"
