"""The YAML of `fiber_list`, which `crossfact.fiber.generate` writes along with FIBER's own."""

from __future__ import annotations

import json
from collections.abc import Iterable

from crossfact.fiber.list_scoring import ALWAYS, HIGHER_IS_BETTER, list_metric_names
from crossfact.fiber.listing import instructions
from crossfact.fiber.topics import TOPICS, Topic
from crossfact.utils.languages import FIBER_LANGUAGES

VERSION = 1.0
"""Rises whenever numbers can change, with a line in the family's changelog."""

_TEMPLATE = """\
# What all fiber_list tasks share: a list instead of a ranking, for models behind a chat API.
class: !function crossfact.utils.task.SourcedTask
custom_dataset: !function crossfact.fiber.listing.load_lists
test_split: test
fewshot_split: fewshot
fewshot_config: {{sampler: first_n}}
output_type: generate_until
doc_to_target: !function crossfact.fiber.listing.target
target_delimiter: "\\n"
generation_kwargs:
  until: []  # the end of the turn only: a blank line would cut off a model that thinks first
  max_gen_toks: 512
  do_sample: false
filter_list:
  - name: list
    filter:
      - function: custom
        filter_fn: !function crossfact.fiber.list_answers.listed
process_results: !function crossfact.fiber.list_scoring.score_list
metadata:
  version: {version}
"""


def list_files() -> dict[str, str]:
    """Return the file names and contents of all tasks and groups of `fiber_list`."""
    files = {"_fiber_list_template": _TEMPLATE.format(version=VERSION)}
    for topic in TOPICS.values():
        for lang in FIBER_LANGUAGES:
            files[_metrics_file(topic, lang)] = _metrics(list_metric_names(topic, lang))
            files[f"{_task(topic, lang)}.yaml"] = _leaf(topic, lang)
    for lang, instruction in instructions().items():
        prompt = json.dumps(f"{{{{question}}}}\n{instruction}", ensure_ascii=False)
        files[f"_fiber_list_{lang}"] = f"doc_to_text: {prompt}\n"
        files[f"fiber_list_{lang}.yaml"] = _group(f"fiber_list_{lang}", [lang])
    files["fiber_list.yaml"] = _group("fiber_list", FIBER_LANGUAGES)
    return files


def _task(topic: Topic, lang: str) -> str:
    return f"fiber_list_{topic.name}_{lang}"


def _metrics_file(topic: Topic, lang: str) -> str:
    return "_fiber_list_biased" if topic.has_bias(lang) else "_fiber_list_plain"


def _leaf(topic: Topic, lang: str) -> str:
    return (
        f"include: [{_metrics_file(topic, lang)}, _fiber_list_{lang}]\n"
        f"task: {_task(topic, lang)}\n"
        f"dataset_kwargs: {{topic: {topic.name}, lang: {lang}}}\n"
    )


def _metrics(names: Iterable[str]) -> str:
    lines = ["include: _fiber_list_template", "metric_list:"]
    for name in names:
        lines.append(f"  - metric: {name}")
        lines.append(f"    aggregation: {'mean' if name in ALWAYS else 'nanmean'}")
        lines.append(f"    higher_is_better: {str(name in HIGHER_IS_BETTER).lower()}")
    return "\n".join(lines) + "\n"


def _group(name: str, langs: Iterable[str]) -> str:
    langs = list(langs)
    tasks = [(topic, lang) for topic in TOPICS.values() for lang in langs]
    metrics = dict.fromkeys(metric for topic, lang in tasks for metric in list_metric_names(topic, lang))
    lines = [f"group: {name}", "task:", *(f"  - {_task(topic, lang)}" for topic, lang in tasks)]
    lines.append("aggregate_metric_list:")
    for metric in metrics:
        lines += [f"  - metric: {metric}", "    aggregation: mean", "    weight_by_size: false"]
    return "\n".join([*lines, "metadata:", f"  version: {VERSION}"]) + "\n"
