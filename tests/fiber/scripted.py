"""Models whose metrics are known in advance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from crossfact.fiber.documents import Document

TASKS = Path(__file__).resolve().parents[2] / "lm_eval_tasks"

Score = Callable[[Document, int], float]
"""(document, index of the choice) → log-likelihood."""


class ScriptedLM(LM):
    """Gives the log-likelihoods that a function says, and counts its requests."""

    def __init__(self, score: Score) -> None:
        super().__init__()
        self.score = score
        self.asked = 0

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        self.asked += len(requests)
        assert all(request.args[1] == request.doc["choices"][request.idx] for request in requests)
        return [(self.score(request.doc, request.idx), False) for request in requests]  # type: ignore[arg-type]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError

    def generate_until(self, requests: list[Instance]) -> list[str]:
        raise NotImplementedError


def perfect(doc: Document, choice: int) -> float:
    """All right answers first."""
    return 0.0 if choice in doc["gold"] else -1.0 - choice


def patriotic(doc: Document, choice: int) -> float:
    """All of Q first, right or not."""
    return 0.0 if choice in (doc["biased"] or []) else -1.0 - choice


def undecided(doc: Document, choice: int) -> float:
    """Everything ties."""
    return -1.0


def evaluate(model: LM, tasks: list[str], metadata: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Run the harness without bootstraps and return its results."""
    manager = TaskManager(include_path=str(TASKS), include_defaults=False, metadata=metadata or {})
    return simple_evaluate(model, tasks=tasks, task_manager=manager, bootstrap_iters=0, verbosity="ERROR", **options)


def metrics(results: dict[str, Any], task: str) -> dict[str, float]:
    """Return the metrics of a task or group by name."""
    found = {key.split(",")[0]: value for key, value in results["results"][task].items() if "," in key}
    return {name: value for name, value in found.items() if not name.endswith("_stderr")}
