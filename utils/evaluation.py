"""What the harness's running evaluation knows and does not tell a task: its model, and where it collects scores.

Both lie in local variables of `lm_eval.evaluator.evaluate`, further up the call stack while it builds requests.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FrameType
from typing import Any

from lm_eval.api.model import LM, CachingLM

from crossfact.utils.errors import UserError


def running_model() -> LM | None:
    """Return the model that the harness is evaluating now, or None outside an evaluation."""
    frame = _frame()
    model = frame.f_locals["lm"] if frame else None
    return model.lm if isinstance(model, CachingLM) else model  # --use_cache wraps it


def expect_no_scores(task: str, metrics: Iterable[tuple[str, str]]) -> None:
    """Tell the evaluation that this process will have no score of `task`.

    The harness puts the processes' scores together metric by metric, and fails where a process has had no document
    and so does not know a metric.

    Args:
        task: The task's name.
        metrics: All its (metric, filter) pairs.

    Raises:
        UserError: This release of the harness collects scores in another way.
    """
    frame = _frame()
    collected: dict[str, Any] = frame.f_locals.get("eval_results_acc", {}) if frame else {}
    if task not in collected:
        raise UserError(f"{task} has fewer documents than there are processes: start fewer, or raise --limit")
    for metric in metrics:
        collected[task]["raw_metrics"][metric] = []


def _frame() -> FrameType | None:
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_name == "evaluate" and isinstance(frame.f_locals.get("lm"), LM | CachingLM):
            return frame
        frame = frame.f_back
    return None
