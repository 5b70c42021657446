"""Which backends give log-likelihoods, and what to tell the user of one that does not."""

from __future__ import annotations

import inspect

import lm_eval.models
from lm_eval.api.model import LM

WORKING_BACKENDS = "hf, vllm, sglang or local-completions"


def gives_no_loglikelihoods(model: LM) -> bool:
    """Return whether all that the backend's `loglikelihood` does is to raise NotImplementedError.

    The harness's chat backends say so only when they are asked, after all requests have been built.
    """
    code = inspect.unwrap(type(model).loglikelihood).__code__
    return code.co_names == ("NotImplementedError",)


def backend_name(model: LM) -> str:
    """Return the name by which a user chose the backend."""
    path = f"{type(model).__module__}:{type(model).__name__}"
    names = getattr(lm_eval.models, "MODEL_MAPPING", {})  # not in releases before 0.4.10
    return next((name for name, target in names.items() if target == path), type(model).__name__)
