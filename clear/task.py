"""The task class of CLEAR: closed-book questions may be put to the vote."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from lm_eval.api.instance import Instance

from crossfact.utils.errors import UserError
from crossfact.utils.probes import ProbeTask

VOTE_TEMPERATURE = 0.01
"""The paper's decoding temperature (appendix B)."""

_log = logging.getLogger(__name__)


@cache
def warn_once(message: str) -> None:
    """Log a warning, the first time alone that it is given."""
    _log.warning(message)


class ClearTask(ProbeTask):
    """A CLEAR task.

    Probes that are asked once are decoded greedily, those that are put to the vote at the paper's temperature, unless
    the run's `--gen_kwargs` say otherwise.
    """

    def construct_requests(self, doc: Mapping[str, Any], ctx: list[str], **kwargs: Any) -> list[Instance]:
        """Return one request per probe; where decoding is greedy, votes would all be the same and one is asked for."""
        votes = max(probe["repeats"] for probe in doc["probes"])
        if votes > 1 and is_greedy(decoding(self.config.generation_kwargs, votes)):
            warn_once(f"greedy decoding gives {votes} times the same vote: each question is asked once")
            doc = {**doc, "probes": [{**probe, "repeats": 1} for probe in doc["probes"]]}
        return super().construct_requests(doc, ctx, **kwargs)

    def check_shots(self, shots: int) -> None:
        """Refuse examples, whatever their number.

        Raises:
            UserError: Always. An example answers as the evidence says or as memory has it, and so would show a model
                what the benchmark wants to see it decide.
        """
        raise UserError(
            f"--num_fewshot {shots}: {self.config.task} takes no examples, which would show a model whether to follow "
            "evidence or memory: leave it out"
        )

    def generation_arguments(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the generation arguments of one probe."""
        return decoding(self.config.generation_kwargs, asked["repeats"])


def decoding(given: Mapping[str, Any], votes: int) -> dict[str, Any]:
    """Return generation arguments that say in so many words whether to sample.

    A temperature alone would be ignored by some of the harness's backends, and its cache of responses would hand the
    first vote out again and again; both look at `do_sample`.

    Args:
        given: The arguments of the task's YAML and of `--gen_kwargs`.
        votes: How many responses are asked for.
    """
    arguments = deepcopy(dict(given))
    if "do_sample" not in arguments:
        arguments["do_sample"] = arguments["temperature"] > 0 if "temperature" in arguments else votes > 1
    if arguments["do_sample"]:
        arguments.setdefault("temperature", VOTE_TEMPERATURE)
    return arguments


def is_greedy(arguments: Mapping[str, Any]) -> bool:
    """Whether these generation arguments give the same response every time."""
    return not arguments["do_sample"] or arguments["temperature"] == 0
