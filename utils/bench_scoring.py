"""How fast ``hf-tree`` scores candidates: ``python -m crossfact.utils.bench_scoring --pretrained M --prompts P.jsonl``.

Three ways score the same pairs in alternation on one loaded model, so that a busy machine slows them alike:
``hf-tree``, the harness's ``hf`` at its best batch size, and one forward pass per candidate token (a sample of the
pairs, as it is slow). Printed: median pairs per second and ratios, peak memory, how far the scores lie apart, and the
share of the time that ``hf-tree`` spends outside the model.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil  # type: ignore[import-untyped]
import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM

from crossfact.utils.errors import UserError
from crossfact.utils.head_slicing import Score
from crossfact.utils.hf_tree import TreeLM

HF_BATCHES = (1, 16, 64)
WARM_UP = 16
Ask = Callable[[list[Instance]], list[Score]]


@dataclass(frozen=True)
class Run:
    """One timed run.

    Attributes:
        pairs: how many pairs were scored.
        seconds: wall time.
        inside: seconds of it inside the model's forward pass.
        peak: peak memory in bytes, weights included (allocated on a GPU, resident on a CPU).
        scores: the scores.
    """

    pairs: int
    seconds: float
    inside: float
    peak: int
    scores: list[Score]

    @property
    def speed(self) -> float:
        """Pairs per second."""
        return self.pairs / self.seconds


class PeakMemory:
    """Watches peak memory: the allocator's own count on a GPU, samples of the resident size elsewhere."""

    def __init__(self, device: torch.device) -> None:
        self._gpu = device.type == "cuda"
        self.peak = 0

    def __enter__(self) -> PeakMemory:
        if self._gpu:
            torch.cuda.reset_peak_memory_stats()
        else:
            self._stop = Event()
            self._thread = Thread(target=self._sample)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._gpu:
            self.peak = torch.cuda.max_memory_allocated()
        else:
            self._stop.set()
            self._thread.join()

    def _sample(self) -> None:
        process = psutil.Process()
        while True:
            self.peak = max(self.peak, process.memory_info().rss)
            if self._stop.wait(0.01):
                return


def timed(model: Any, ask: Ask, requests: list[Instance]) -> Run:
    """Runs one backend on requests.

    Args:
        model: the model that the backend calls.
        ask: the backend's ``loglikelihood``.
        requests: what to score.
    """
    inside, begun = 0.0, 0.0

    def now() -> float:
        if model.device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()

    def enter(*_: object) -> None:
        nonlocal begun
        begun = now()

    def leave(*_: object) -> None:
        nonlocal inside
        inside += now() - begun

    handles = [model.register_forward_pre_hook(enter), model.register_forward_hook(leave)]
    try:
        with PeakMemory(model.device) as memory:
            start = now()
            scores = ask(requests)
            seconds = now() - start
    finally:
        for handle in handles:
            handle.remove()
    return Run(len(requests), seconds, inside, memory.peak, scores)


def per_token(model: Any, tokenizer: Any) -> Ask:
    """Returns the baseline: one forward pass for every token of every candidate."""

    @torch.no_grad()
    def ask(requests: list[Instance]) -> list[Score]:
        scores = []
        for request in requests:
            context, continuation = request.args
            fed = tokenizer(context)["input_ids"]
            total, greedy = 0.0, True
            for token in tokenizer(context + continuation)["input_ids"][len(fed) :]:
                logits = model(torch.tensor([fed], device=model.device)).logits[0, -1].float()
                total += float(logits.log_softmax(-1)[token])
                greedy &= int(logits.argmax()) == token
                fed = [*fed, token]
            scores.append((total, greedy))
        return scores

    return ask


def read_prompts(path: Path, limit: int) -> list[Instance]:
    """Reads ``{"prompt": …, "candidates": […]}`` lines.

    Raises:
        UserError: when a line has another form.
    """
    requests = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[:limit], 1):
        try:
            record = json.loads(line)
            pairs = [(record["prompt"], candidate) for candidate in record["candidates"]]
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(f'{path}:{number}: not a {{"prompt", "candidates"}} object ({error}); mend it') from error
        requests += [Instance("loglikelihood", {}, pair, index) for index, pair in enumerate(pairs)]
    return requests


def task_requests(name: str, include_path: str | None, limit: int) -> list[Instance]:
    """Returns the log-likelihood requests of the first documents of a harness task."""
    from lm_eval.tasks import TaskManager

    task = TaskManager(include_path=include_path).load(name)["tasks"][name]
    task.build_all_requests(limit=limit, rank=0, world_size=1)
    return [instance for instance in task.instances if instance.request_type == "loglikelihood"]


def compare_backends(
    model: Any,
    tokenizer: Any,
    requests: list[Instance],
    *,
    rounds: int,
    baseline_pairs: int,
    pack_tokens: int | None = None,
) -> dict[str, list[Run]]:
    """Times all backends in alternation.

    Args:
        model: a loaded causal language model.
        tokenizer: its tokenizer.
        requests: what to score.
        rounds: how often each backend runs; the slower batch sizes of ``hf`` run once, to find the best.
        baseline_pairs: how many pairs the one-forward-per-token baseline gets.
        pack_tokens: as for ``hf-tree``.

    Returns:
        The runs of ``hf-tree``, of ``hf`` at each batch size, and of the baseline.
    """
    tree = TreeLM(model, tokenizer=tokenizer, pack_tokens=pack_tokens)
    backends = {"hf-tree": tree} | {
        f"hf, batch {size}": HFLM(model, tokenizer=tokenizer, batch_size=size, softmax_dtype="float32")
        for size in HF_BATCHES
    }
    ways: dict[str, Ask] = {
        name: partial(backend.loglikelihood, disable_tqdm=True) for name, backend in backends.items()
    }
    ways["one forward per token"] = per_token(model, tokenizer)
    # Drawn, not spaced evenly: candidates recur with every prompt.
    some = random.Random(0).sample(requests, min(baseline_pairs, len(requests)))
    longest = sorted(requests, key=lambda request: -sum(map(len, request.args)))[:WARM_UP]
    runs: dict[str, list[Run]] = {}
    for name, ask in ways.items():
        ask(longest if name in backends else longest[:1])
    for _ in range(rounds):
        for name, ask in ways.items():
            runs.setdefault(name, []).append(timed(model, ask, requests if name in backends else some))
        best = max((name for name in ways if name.startswith("hf,")), key=lambda name: runs[name][0].speed)
        ways = {name: ask for name, ask in ways.items() if name == best or not name.startswith("hf,")}
    return runs


def summary(runs: dict[str, list[Run]]) -> str:
    """Returns the table that is printed."""
    speed = {name: statistics.median(run.speed for run in group) for name, group in runs.items()}
    peak = {name: statistics.median(run.peak for run in group) / 2**20 for name, group in runs.items()}
    best = max((name for name in runs if name.startswith("hf,")), key=lambda name: (len(runs[name]), speed[name]))
    lines = [f"{'':24}{'pairs/s':>10}{'hf-tree is':>12}{'peak MiB':>10}{'runs':>6}"]
    lines += [
        f"{name:24}{speed[name]:10.1f}{speed['hf-tree'] / speed[name]:11.1f}×{peak[name]:10.0f}{len(group):6}"
        for name, group in runs.items()
    ]
    tree, hf = runs["hf-tree"][0].scores, runs[best][0].scores
    apart = max(abs(a - b) for (a, _), (b, _) in zip(tree, hf, strict=True))
    flags = sum(a == b for (_, a), (_, b) in zip(tree, hf, strict=True))
    outside = statistics.median(1 - run.inside / run.seconds for run in runs["hf-tree"])
    ratios = [a.speed / b.speed for a, b in zip(runs["hf-tree"], runs[best], strict=True)]
    lines += [
        f"best hf: {best}; ratio per round: {', '.join(f'{ratio:.1f}' for ratio in ratios)}",
        f"memory of hf-tree over best hf: {peak['hf-tree'] / peak[best]:.2f}",
        f"time of hf-tree outside the model: {outside:.1%}",
        f"largest difference from hf: {apart:.2e} nats; greedy flags equal: {flags}/{len(tree)}",
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the benchmark from the command line."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    parser = argparse.ArgumentParser(prog="python -m crossfact.utils.bench_scoring", description=__doc__)
    parser.add_argument("--pretrained", required=True, help="name or path of a causal language model")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--prompts", type=Path, help='lines of {"prompt": …, "candidates": […]}')
    source.add_argument("--task", help="a log-likelihood or multiple-choice task of the harness")
    parser.add_argument("--include_path", help="folder of task files, as for the harness")
    parser.add_argument("--limit", type=int, default=4, help="prompts (documents) to use")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--baseline_pairs", type=int, default=12)
    parser.add_argument("--pack_tokens", type=int)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args(arguments)
    requests = (
        read_prompts(given.prompts, given.limit)
        if given.prompts
        else task_requests(given.task, given.include_path, given.limit)
    )
    model = AutoModelForCausalLM.from_pretrained(given.pretrained, dtype=getattr(torch, given.dtype))
    runs = compare_backends(
        model.to(given.device).eval(),
        AutoTokenizer.from_pretrained(given.pretrained),
        requests,
        rounds=given.rounds,
        baseline_pairs=given.baseline_pairs,
        pack_tokens=given.pack_tokens,
    )
    print(f"{len(requests)} pairs, {given.limit} prompts at most, {given.device}, {given.dtype}")
    print(summary(runs))


if __name__ == "__main__":
    main()
