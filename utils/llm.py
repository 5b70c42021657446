"""Text from a model: translation, verbalization and judging all call `generate`.

It runs on any backend of the harness (`hf`, `vllm`, `local-chat-completions`, …), keeps every answer on disk, goes on
where a killed run stopped, asks again what could not be used, and says what it could not get. It never guesses.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from crossfact.utils.errors import UserError
from crossfact.utils.llm_cache import AnswerCache
from crossfact.utils.sources import cache_folder

T = TypeVar("T")

TEMPERATURES = (0.0, 0.7, 1.0)
"""Of the first try and of the two after it: greedy decoding would only repeat what could not be used."""


class UnusableError(ValueError):
    """Raised by `parse`: the answer is of no use; the message says why, in a few words that can be counted."""


@dataclass(frozen=True)
class Reply(Generic[T]):
    """What became of one prompt.

    Attributes:
        value: What `parse` made of the answer, or None if no answer could be used.
        text: The last answer, as the model gave it; empty if there was none.
        problem: Why there is no value, or None.
    """

    value: T | None
    text: str
    problem: str | None = None


def generate(
    model: str,
    model_args: str | Mapping[str, Any],
    prompts: Sequence[str],
    parse: Callable[[int, str], T],
    *,
    max_gen_toks: int = 1024,
    cache: Path | None = None,
    description: str = "Asking the model",
) -> list[Reply[T]]:
    """Ask a model every prompt.

    A model that has a chat template is given the prompt as one user message.

    Args:
        model: The name of a harness backend, as for `--model`.
        model_args: Its arguments, as for `--model_args`; `batch_size` and `num_concurrent` go here as well.
        prompts: The texts to send; each text is asked once however often it stands here.
        parse: Turns (place of the prompt, answer) into a value, or raises `UnusableError`.
        max_gen_toks: The most tokens of an answer.
        cache: The folder for answers; by default `llm` in the cache of `crossfact`.
        description: What the progress bar says.

    Returns:
        One reply per prompt, in their order.

    Raises:
        UserError: There is no such backend, it cannot be loaded, or its server is out of order.
    """
    arguments = _arguments(model_args)
    answers = AnswerCache(cache or cache_folder() / "llm", model, arguments)
    asked = _Model(model, arguments)
    replies: list[Reply[T] | None] = [None] * len(prompts)
    with _progress() as bar:
        for tried, temperature in enumerate(TEMPERATURES, 1):
            places = [place for place, reply in enumerate(replies) if reply is None or reply.problem]
            if not places:
                break
            settings = {"max_gen_toks": max_gen_toks, "until": [], **_sampling(temperature)}
            unknown = {prompts[place] for place in places if answers.get(prompts[place], settings) is None}
            open_prompts = [prompt for prompt in dict.fromkeys(prompts) if prompt in unknown]
            advance = bar(description if tried == 1 else f"{description} (try {tried})", len(open_prompts))
            problems = asked.ask(open_prompts, settings, answers, advance) if open_prompts else {}
            for place in places:
                text = answers.get(prompts[place], settings) or ""
                replies[place] = _reply(text, place, parse, problems.get(prompts[place]))
    return [reply for reply in replies if reply is not None]


class _Model:
    """A harness model that is loaded when it is first needed."""

    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        self._name, self._arguments = name, arguments
        self._lm: Any = None
        self._patience: Any = None

    def ask(
        self,
        prompts: Sequence[str],
        settings: Mapping[str, Any],
        answers: AnswerCache,
        advance: Callable[[], None],
    ) -> dict[str, str]:
        """Ask every prompt, write each answer down as it comes, and return why some have none."""
        from lm_eval.api.instance import Instance

        if self._lm is None:
            self._load()
        sent = {self._as_sent(prompt): prompt for prompt in prompts}
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)
        self._lm.set_cache_hook(_Hook(lambda request, text: answers.put(sent[request], settings, text), advance))
        requests = [
            Instance("generate_until", {}, (request, dict(settings)), place, metadata=("llm", place, 1))
            for place, request in enumerate(sent)
        ]
        with _harness_bars_hidden():
            texts = self._lm.generate_until(requests)
        for prompt, text in zip(sent.values(), texts, strict=True):  # not every backend tells the hook
            answers.put(prompt, settings, text)
        given_up = self._patience.problems if self._patience else {}
        return {prompt: given_up[key] for request, prompt in sent.items() if (key := _text_of(request)) in given_up}

    def _as_sent(self, prompt: str) -> Any:
        from lm_eval.models.openai_completions import LocalChatCompletion

        template = getattr(getattr(self._lm, "tokenizer", None), "chat_template", None)
        if template or isinstance(self._lm, LocalChatCompletion):
            return self._lm.apply_chat_template([{"role": "user", "content": prompt}])
        return prompt

    def _load(self) -> None:
        from lm_eval.api.registry import get_model
        from lm_eval.models.api_models import TemplateAPI

        from crossfact.utils.llm_patience import Patience

        try:
            # The harness's command passes this device; where there is none, the backend takes the processor.
            self._lm = get_model(self._name).create_from_arg_obj({"device": "cuda:0", **self._arguments})
        except Exception as error:
            said = " ".join(str(error).split())
            raise UserError(f"the model {self._name} ({dict(self._arguments)}) cannot be loaded: {said}") from error
        if isinstance(self._lm, TemplateAPI):
            self._patience = Patience(self._lm)


class _Hook:
    """Stands where the harness's own cache would: it is told of every answer at once."""

    dbdict = None

    def __init__(self, keep: Callable[[Any, str], None], advance: Callable[[], None]) -> None:
        self._keep, self._advance = keep, advance

    def add_partial(self, attr: str, req: Sequence[Any], res: Any) -> None:
        """Keep one answer: `req` is (prompt as sent, settings)."""
        self._keep(req[0], res)
        self._advance()


def _reply(text: str, place: int, parse: Callable[[int, str], T], problem: str | None) -> Reply[T]:
    if not text:
        return Reply(None, "", problem or "the answer is empty")
    try:
        return Reply(parse(place, text), text)
    except UnusableError as error:
        return Reply(None, text, str(error))


def _arguments(model_args: str | Mapping[str, Any]) -> dict[str, Any]:
    from lm_eval.utils import simple_parse_args_string

    return simple_parse_args_string(model_args) if isinstance(model_args, str) else dict(model_args)


def _sampling(temperature: float) -> dict[str, Any]:
    return {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}


def _text_of(request: Any) -> str:
    return str(getattr(request, "prompt", request))


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str, int], Callable[[], None]]]:
    """Yield a function that starts a bar (description, total) and returns what moves it one step."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr)) as bars:

        def start(description: str, total: int) -> Callable[[], None]:
            bar = bars.add_task(description, total=total)
            return lambda: bars.advance(bar)

        yield start


@contextlib.contextmanager
def _harness_bars_hidden() -> Iterator[None]:
    """The harness draws its own bars on stderr, across ours; log messages still come through."""
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stderr(nowhere):
        yield
