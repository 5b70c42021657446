"""Thinking that a chat template has begun in the prompt.

Some templates end the prompt with `<think>`. A response then begins within the model's thoughts without a word of it,
and where the budget of tokens ran out, a thought looks like an answer. So the tag goes back to where it belongs before
anything is read.
"""

from __future__ import annotations

from collections.abc import Iterable

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from crossfact.utils.answers import opened_thinking
from crossfact.utils.errors import UserError


def give_back_opened_thinking(instances: Iterable[Instance]) -> None:
    """Put the tag that a prompt ends with before each response to it."""
    for instance in instances:
        if instance.request_type != "generate_until":
            return
        if tag := _opened(instance):
            instance.resps = [tag + (response or "") for response in instance.resps]


def check_thinking(instances: Iterable[Instance], model: LM) -> None:
    """Check that thinking which was cut off can be told from an answer.

    Raises:
        UserError: The prompts begin the thinking, and either log-likelihoods are asked for, which would be those of
            thoughts; or the harness was told to cut thinking away, and what it returns has no tags then, whether the
            thinking ended or not.
    """
    opened = next(filter(_opened, instances), None)
    if opened is None:
        return
    if opened.request_type != "generate_until":
        raise UserError(
            f"{opened.task_name} ranks answers, but the chat template ends the prompt with <think>, so that thoughts "
            "would be ranked: set enable_thinking=False in --model_args, or leave --apply_chat_template out"
        )
    if getattr(model, "think_end_token", None) is not None:
        raise UserError(
            "the chat template ends the prompt with <think>; then leave think_end_token (and enable_thinking) out of "
            "--model_args, or thinking that is cut off would pass for an answer: the tasks drop the thinking themselves"
        )


def _opened(instance: Instance) -> str:
    prompt = instance.args[0]
    return opened_thinking(prompt) if isinstance(prompt, str) else ""  # chat APIs are sent messages
