"""A small made-up dataset in all languages, and models that behave in a known way on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from crossfact.clear.items import Item, Version, write_items
from crossfact.utils.answers import truth_words
from crossfact.utils.languages import CLEAR_LANGUAGES, ENGLISH_NAMES

TASKS = Path(__file__).resolve().parents[2] / "lm_eval_tasks"
COUNT = 4


def made_up_items(dataset: str) -> list[Item]:
    """Four items; the strategyqa ones are true, false, true, false."""
    items = []
    for place in range(COUNT):
        versions = {}
        for lang in CLEAR_LANGUAGES:
            if dataset == "popqa":
                gold, other = f"Gold{place}{lang}", f"Other{place}{lang}"
            else:
                words = truth_words(lang)
                gold, other = words if place % 2 == 0 else words[::-1]
            versions[lang] = Version(
                question=f"{dataset} {place} {lang}?",
                answers=(gold,),
                counter_answer=(other,),
                support=f"{dataset} support {place} {lang}: {gold}.",
                counter=f"{dataset} counter {place} {lang}: {other}.",
            )
        items.append(Item(f"{dataset}-{place}", dataset, versions, popularity=10.0 * place))
    return items


def write_source(folder: Path) -> Path:
    write_items(folder, [*made_up_items("popqa"), *made_up_items("strategyqa")])
    return folder


def knows(place: int, lang: str) -> bool:
    """What the scripted models remember: items 0 and 1 everywhere, item 2 in English alone, item 3 nowhere."""
    return place < 2 or (place == 2 and lang == "en")


Choice = Callable[[str, list[tuple[str, str]], bool], str]
"""(query language, sources as (language, `support` or `counter`) in their order, memory is right) → gold or other."""


def stubborn(lang: str, sources: list[tuple[str, str]], remembered: bool) -> str:
    return "gold" if remembered else "other"


def persuadable(lang: str, sources: list[tuple[str, str]], remembered: bool) -> str:
    return _claim(sources[0]) if sources else stubborn(lang, sources, remembered)


def second_source(lang: str, sources: list[tuple[str, str]], remembered: bool) -> str:
    return _claim(sources[-1]) if sources else stubborn(lang, sources, remembered)


def query_language_follower(lang: str, sources: list[tuple[str, str]], remembered: bool) -> str:
    own = [source for source in sources if source[0] == lang]
    return _claim((own or sources)[0]) if sources else stubborn(lang, sources, remembered)


def ignorant(lang: str, sources: list[tuple[str, str]], remembered: bool) -> str:
    return ""


def _claim(source: tuple[str, str]) -> str:
    return "gold" if source[1] == "support" else "other"


class ScriptedLM(LM):
    """Answers the made-up items as `choose` says, in the query language."""

    def __init__(self, choose: Choice, wrap: str = "{}") -> None:
        super().__init__()
        self._choose, self._wrap = choose, wrap
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self._items = {item.id: item for name in ("popqa", "strategyqa") for item in made_up_items(name)}

    def answer(self, prompt: str) -> str:
        dataset, place, lang = prompt.split("Question: ")[-1].strip(" ?").split()
        codes = {name: code for code, name in ENGLISH_NAMES.items()}
        sources = []
        for line in prompt.splitlines():
            for role in ("support", "counter"):
                if f"{dataset} {role} {place} " in line:
                    code = line.split(f"{role} {place} ")[1].split(":")[0]
                    sources.append((code, role))
                    if "(Language" in line:
                        assert codes[line.split("(Language ")[1].split(")")[0]] == code
        version = self._items[f"{dataset}-{place}"].languages[lang]
        choice = self._choose(lang, sources, knows(int(place), lang))
        if not choice:
            return "\n\nI do not know."
        return self._wrap.format(version.answers[0] if choice == "gold" else version.counter_answer[0])

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.requests += [request.args for request in requests]
        return [self.answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


def evaluate(
    model: LM, tasks: list[str], folder: Path, gen_kwargs: str | None = None, **options: Any
) -> dict[str, Any]:
    """Run the real harness on the source in `folder`, with `options` as `--metadata`."""
    manager = TaskManager(include_path=str(TASKS), include_defaults=False, metadata={"source": str(folder), **options})
    results = simple_evaluate(
        model=model, tasks=tasks, task_manager=manager, bootstrap_iters=0, gen_kwargs=gen_kwargs, random_seed=None
    )
    assert results is not None
    return dict(results)
