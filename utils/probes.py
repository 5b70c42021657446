"""Probe tasks: one document, several prompts, scored together.

A document holds a list of `probes`, each the variables of one prompt: the same question closed-book and with evidence,
or the five statements made from one triple. The harness counts, limits, distributes, logs and bootstraps documents;
so what belongs together stays together, and no document depends on another.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from jinja2 import Template
from lm_eval.api.instance import Instance
from lm_eval.utils import env

from crossfact.utils.task import SourcedTask


class ProbeTask(SourcedTask):
    """A generation task that asks every probe of a document.

    The YAML's one Jinja template is rendered for the document's fields together with the probe's. A probe's
    `repeats` says how many responses to ask for. `process_results(doc, verdicts)` receives one verdict per probe,
    in the order of `doc["probes"]`; filters see the document with the probe's fields on top.
    """

    def doc_to_text(self, doc: Mapping[str, Any], doc_to_text: Any = None) -> Any:
        """Render the prompt of one probe; a whole document stands for its first one."""
        template = doc_to_text or self.config.doc_to_text
        if isinstance(template, str) and template not in self.features:
            return _compiled(template).render(**_one_probe(doc))
        return super().doc_to_text(_one_probe(doc), doc_to_text)

    def doc_to_target(self, doc: Mapping[str, Any], doc_to_target: Any = None) -> Any:
        """Render the target of one probe; a whole document stands for its first one."""
        return super().doc_to_target(_one_probe(doc), doc_to_target)

    def fewshot_context(self, doc: Mapping[str, Any], *args: Any, **kwargs: Any) -> list[str]:
        """Return one full prompt (system text, examples, question, chat template) per probe."""
        return [super(ProbeTask, self).fewshot_context(asked, *args, **kwargs) for asked in split_probes(doc)]

    def construct_requests(self, doc: Mapping[str, Any], ctx: list[str], **kwargs: Any) -> list[Instance]:
        """Return one generation request per probe, each with the probe's own number of repeats."""
        task, doc_id, _ = kwargs["metadata"]
        return [
            Instance(
                request_type="generate_until",
                doc=asked,
                arguments=(prompt, self.generation_arguments(asked)),
                idx=number,
                metadata=(task, doc_id, asked.get("repeats") or 1),
            )
            for number, (asked, prompt) in enumerate(zip(split_probes(doc), ctx, strict=True))
        ]

    def generation_arguments(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the generation arguments of one probe: the task's own, unless a benchmark says otherwise."""
        return deepcopy(self.config.generation_kwargs)


@cache
def _compiled(template: str) -> Template:
    """The harness compiles a template anew for every prompt, 2 ms each; a large group has 170,000 of them."""
    return env.from_string(template)


def split_probes(doc: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the document's fields once per probe, with the probe's fields on top and without the list itself."""
    shared = {key: value for key, value in doc.items() if key != "probes"}
    return [{**shared, **probe} for probe in doc["probes"]]


def _one_probe(doc: Mapping[str, Any]) -> Mapping[str, Any]:
    return split_probes(doc)[0] if "probes" in doc else doc
