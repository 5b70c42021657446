"""What all our tasks share: a known source in every result, honest limits, and requests that are never mixed up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask

from crossfact.utils.errors import UserError, print_user_errors_plainly
from crossfact.utils.evaluation import expect_no_scores, running_model
from crossfact.utils.sources import Source, Splits
from crossfact.utils.thinking import check_thinking, give_back_opened_thinking

print_user_errors_plainly()

OPTIONS = ("source", "protocol", "evidence_languages", "memory_votes")
"""What our tasks take by `--metadata`."""


class SourcedTask(ConfigurableTask):
    """A harness task whose dataset names its source.

    The source stands in the printed table (`task_alias`) and, with its fingerprint, in the results file
    (`configs.<task>.metadata`).
    """

    source: Source

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        """Build the task from its YAML.

        Args:
            config: The merged YAML of the task. Its `class` key, which brought the harness here, is not a field of
                the harness's own configuration and is left out.
        """
        self._instances = None  # the harness reads it before it has built any, and older releases do not set it
        super().__init__(config={key: value for key, value in (config or {}).items() if key != "class"})
        self.config.task_alias = f"{self.config.task_alias or self.config.task} [{self.source.name}]"
        self.config.metadata = {
            **(self.config.metadata or {}),
            "source": self.source.name,
            "fingerprint": self.source.fingerprint,
        }

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        """Load the documents with the YAML's `custom_dataset`, which is given the run's `--metadata`."""
        given = self.config.metadata or {}
        for name in given.keys() - set(OPTIONS):
            # The harness adds the model's arguments, so that not every unknown name is a mistake.
            if meant := get_close_matches(name, OPTIONS, n=1, cutoff=0.8):
                raise UserError(f"--metadata: there is no option {name!r}; write {meant[0]!r}")
        splits = self.config.custom_dataset(**given, **(self.config.dataset_kwargs or {}))
        if not isinstance(splits, Splits):
            raise TypeError(f"custom_dataset of {self.config.task} must return Splits, not {type(splits).__name__}")
        self.dataset = splits
        self.source = splits.source

    def check_backend(self, model: LM) -> None:
        """Raise `UserError` if `model` cannot run this task. Called before any request is built."""

    def check_shots(self, shots: int) -> None:
        """Raise `UserError` if the task has no `shots` examples to show."""
        if (found := len(self.examples_for(self.eval_docs[0]))) < shots:
            raise UserError(
                f"--num_fewshot {shots}: {self.config.task} [{self.source.name}] has {found or 'no'} examples that are "
                "not in its test set: ask for that many at most"
            )

    def examples_for(self, doc: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the examples that may stand before a document's question, in their order."""
        return self.dataset[self.config.fewshot_split] if self.config.fewshot_split else ()

    def build_all_requests(
        self, *, limit: int | None = None, samples: Sequence[int] | None = None, **kwargs: Any
    ) -> None:
        """Build the requests as the harness does, with some checks that it does not make.

        Raises:
            UserError: `limit` is larger than the data, so that a score over all of it would look like one over
                `limit` documents; `samples` are no documents, or in an order in which the harness would log them
                under wrong numbers; there are too few examples; the backend cannot run the task; or thinking could not
                be told from answers.
        """
        if (model := running_model()) is not None:
            self.check_backend(model)
        available = len(self.eval_docs)
        if limit is not None and limit > available:
            raise UserError(
                f"--limit {int(limit)} is larger than the {available} documents of {self.config.task} "
                f"[{self.source.name}]: lower it, or leave it out to run them all"
            )
        if samples is not None:
            self._check_samples(samples, available)
        if shots := self.config.num_fewshot or 0:
            self.check_shots(shots)
        # The harness's request cache is keyed by task name and shots alone; data, prompt and options matter as well.
        if kwargs.get("cache_requests"):
            kwargs["tokenizer_name"] = f"{kwargs.get('tokenizer_name', '')}-{self._request_digest(samples)}"
        if kwargs.get("rank", 0) >= (len(samples) if samples is not None else limit or available):
            # No document is left for this process. The harness needs a request from each: it answers another's.
            metrics = [(metric, pipeline.name) for metric in self._metric_fn_list for pipeline in self._filters]
            expect_no_scores(self.config.task, metrics)
            kwargs |= {"rank": 0, "world_size": 1}
            limit = 1 if samples is None else None
            samples = samples[:1] if samples is not None else None
        super().build_all_requests(limit=limit, samples=samples, **kwargs)
        if model is not None:
            check_thinking(self.instances, model)

    def apply_filters(self) -> list[Instance] | None:
        """Filter the responses, each a whole turn of the model's."""
        give_back_opened_thinking(self.instances)
        return super().apply_filters()

    def process_results(self, doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
        """Score a document as the YAML's `process_results` says; with `--predict_only` there is nothing to score."""
        if "bypass" in self._metric_fn_list:
            return {"bypass": 0.0}
        return super().process_results(doc, results)

    def _check_samples(self, samples: Sequence[int], available: int) -> None:
        if not samples or list(samples) != sorted(set(samples)) or samples[0] < 0 or samples[-1] >= available:
            raise UserError(
                f"--samples of {self.config.task} [{self.source.name}]: give numbers from 0 to {available - 1}, each "
                f"once and in rising order, not {list(samples)}"
            )

    def _request_digest(self, samples: Sequence[int] | None) -> str:
        """Return a digest of everything besides the task's name that the requests depend on."""
        shown = json.dumps([self.dump_config(), self.VERSION, samples], sort_keys=True, default=str)
        return hashlib.sha256(shown.encode()).hexdigest()[:16]
