"""`sword_ll`: True or False by log-likelihood, for models that cannot follow an instruction.

The statements and scores are SWORD's. Instead of being asked for a label in tags, the model is given a question in the
language of the statement, and the answer is whichever of the two words is likelier after it. No answer is unsure or
invalid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, prod
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from crossfact.sword.distortions import KINDS
from crossfact.sword.metrics import METRICS
from crossfact.sword.verdicts import FALSE, TIE, TRUE
from crossfact.utils.errors import UserError
from crossfact.utils.exact import exact
from crossfact.utils.loglikelihoods import WORKING_BACKENDS, backend_name, gives_no_loglikelihoods
from crossfact.utils.probes import ProbeTask, split_probes

LL_METRICS = tuple(metric for metric in METRICS if metric not in ("unsure_rate", "invalid_rate", "unfinished"))

_SHARE_OF_TRUE = {TRUE: 1.0, FALSE: 0.0, TIE: 0.5}


class LikelihoodTask(ProbeTask):
    """A task with two log-likelihood requests for each statement of a document: the word for true, then for false."""

    def check_backend(self, model: LM) -> None:
        """Check that `model` gives log-likelihoods.

        Raises:
            UserError: It does not.
        """
        if gives_no_loglikelihoods(model):
            raise UserError(
                f"the backend {backend_name(model)} only generates text, but {self.config.task} compares "
                f"log-likelihoods: use {WORKING_BACKENDS}, or run the sword tasks, which ask for an answer"
            )

    def construct_requests(self, doc: Mapping[str, Any], ctx: list[str], **kwargs: Any) -> list[Instance]:
        """Return two requests per statement."""
        # as in the harness's own multiple choice: a chat template ends with what separates question and answer
        before = "" if kwargs.get("apply_chat_template") else self.config.target_delimiter
        words = self.config.doc_to_choice
        return [
            Instance(
                request_type="loglikelihood",
                doc=asked,
                arguments=(prompt, f"{before}{word}"),
                idx=len(words) * number + place,
                metadata=kwargs["metadata"],
            )
            for number, (asked, prompt) in enumerate(zip(split_probes(doc), ctx, strict=True))
            for place, word in enumerate(words)
        ]


def verdicts(responses: Sequence[Sequence[tuple[float, bool]]], docs: Sequence[Any]) -> list[str]:
    """The harness's filter: the verdict on a statement, for each of the two requests about it.

    Raises:
        UserError: The model gave a log-likelihood that is not a number.
    """
    scores = [asked[0][0] for asked in responses]
    if any(map(isnan, scores)):
        raise UserError("the model gave NaN as a log-likelihood: try another dtype, such as bfloat16")
    return [
        TIE if true == false else TRUE if true > false else FALSE
        for true, false in zip(scores[::2], scores[1::2], strict=True)
        for _ in (true, false)
    ]


def process(doc: Mapping[str, Any], verdicts: Sequence[str]) -> dict[str, float]:
    """Score one document.

    Args:
        doc: The document.
        verdicts: Two equal ones per probe, in their order.

    Returns:
        The scores of `crossfact.sword.metrics.process` that exist here. A tie counts half as each word, so that each
        score is the mean over all ways to break ties.
    """
    said_true = [_SHARE_OF_TRUE[verdict] for verdict in verdicts[::2]]
    right = {
        probe["kind"]: share if probe["target"] == "True" else 1 - share
        for probe, share in zip(doc["probes"], said_true, strict=True)
    }
    rejection = sum(right[kind] for kind in KINDS[1:]) / len(KINDS[1:])
    return {f"acc_{kind}": right[kind] for kind in KINDS} | {
        "rejection": rejection,
        "balanced": (right["org"] + rejection) / 2,
        "strict": prod(right.values()),
        "false_rate": exact(1 - sum(said_true) / len(said_true)),
    }
