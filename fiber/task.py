"""The harness task: prompts with their candidates, each scored exactly, on a backend that can do it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from lm_eval.api.model import LM

from crossfact.fiber.boundary import ExactPairs, encode_exactly
from crossfact.fiber.loading import PAPER, REFERENCE
from crossfact.utils.errors import UserError
from crossfact.utils.evaluation import running_model
from crossfact.utils.loglikelihoods import WORKING_BACKENDS, backend_name, gives_no_loglikelihoods
from crossfact.utils.task import SourcedTask

log = logging.getLogger("lm_eval.crossfact.fiber")

_USE = f"use {WORKING_BACKENDS} (or hf-tree with `crossfact run`, the fastest for FIBER)"


class FiberTask(SourcedTask):
    """A `multiple_choice` task with one log-likelihood request per candidate."""

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        """Build the task from its YAML; a protocol other than the paper's stands in its name."""
        super().__init__(config)
        self._pairs: ExactPairs | None = None
        if self.protocol != PAPER:
            self.config.task_alias = f"{self.config.task_alias} [{self.protocol} protocol]"

    @property
    def protocol(self) -> str:
        """`paper`, or `reference` for what the authors' script does."""
        return (self.config.metadata or {}).get("protocol", PAPER)

    def check_backend(self, model: LM) -> None:
        """Check that `model` gives log-likelihoods and follows the task's protocol.

        Raises:
            UserError: It does not.
        """
        if gives_no_loglikelihoods(model):
            raise UserError(
                f"the backend {backend_name(model)} only generates text, but FIBER ranks given candidates by their "
                f"log-likelihood: {_USE}, or run the fiber_list tasks, which let it answer"
            )
        if self.protocol != getattr(model, "fiber_protocol", PAPER):
            raise UserError(
                f"{self.config.task} has the protocol {self.protocol!r}, which the backend {backend_name(model)} does "
                "not follow: the reference protocol needs both `crossfact run --model fiber-reference` and "
                f'--metadata \'{{"source": "official", "protocol": "{REFERENCE}"}}\''
            )

    def examples_for(self, doc: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the examples in the same form as a document's prompt: one about each subject that is held out."""
        form = _form(doc)
        return [example for example in self.dataset["fewshot"] if _form(example) == form]

    def fewshot_context(self, doc: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Return the prompt after examples of its own form (a sentence after sentences, a count after counts)."""
        self.sampler.df = self.sampler.docs = self.examples_for(doc)  # `docs` in older releases
        return super().fewshot_context(doc, *args, **kwargs)

    def build_all_requests(self, *, limit: int | None = None, **kwargs: Any) -> None:
        """Build the requests, and see to it that their candidates are tokenized exactly."""
        super().build_all_requests(limit=limit, **kwargs)
        model = running_model()
        if model is not None and self.protocol == PAPER:
            self._pairs = encode_exactly(model, {request.args[0] for request in self.instances})

    def dump_config(self) -> dict[str, Any]:
        """Return the configuration for the results file, with what was found while scoring."""
        config = super().dump_config()
        prompts = {request.args[0] for request in self.instances or []}
        apart = sum(self._pairs.apart[prompt] for prompt in prompts) if self._pairs else 0
        wrong = sum(self._pairs.wrong[prompt] for prompt in prompts) if self._pairs else 0
        if apart:
            config["metadata"] |= {"candidates_tokenized_apart": apart, "candidates_not_exact": wrong}
            log.warning(
                "%s: %d candidates would have merged with the end of their prompt; they were tokenized apart from it, "
                "%d of them not exactly",
                self.config.task,
                apart,
                wrong,
            )
        return config


def _form(doc: Mapping[str, Any]) -> str:
    """Return the form of a prompt, which is what its id has before the subject (`capital_cities_tr_sc_0`)."""
    return str(doc["id"]).rpartition(":")[0]
