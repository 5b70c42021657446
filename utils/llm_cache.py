"""What a model has answered, on disk: an answer that was paid for is never asked for again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# What changes how fast an answer comes, or who pays for it, but not which answer it is.
_NOT_CONTENT = frozenset(
    {"batch_size", "max_batch_size", "num_concurrent", "timeout", "max_retries", "auth_token", "header", "device"}
)


class AnswerCache:
    """The answers of one model, in one file of JSON lines that only grows.

    Every answer is written by itself, at once, and in one piece, so that a killed process loses none and two processes
    may share the file. A line that was cut off is passed over.
    """

    def __init__(self, folder: Path, model: str, model_args: Mapping[str, Any]) -> None:
        """Open the file of a model, and read it.

        Args:
            folder: Where the files lie; made if need be.
            model: The name of the backend.
            model_args: Its arguments; those that only concern speed do not matter.
        """
        content = {key: value for key, value in model_args.items() if key not in _NOT_CONTENT}
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{_digest([model, content])}.jsonl"
        self._answers: dict[str, str] = {}
        if self.path.exists():
            self._read()

    def get(self, prompt: str, gen_kwargs: Mapping[str, Any]) -> str | None:
        """Return the answer to a prompt, or None."""
        return self._answers.get(_digest([prompt, gen_kwargs]))

    def put(self, prompt: str, gen_kwargs: Mapping[str, Any], answer: str) -> None:
        """Write an answer down. An empty one is not kept: the next run may well get a better one."""
        key = _digest([prompt, gen_kwargs])
        if not answer or self._answers.get(key) == answer:
            return
        self._answers[key] = answer
        line = json.dumps({"key": key, "answer": answer}, ensure_ascii=False) + "\n"
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(handle, line.encode("utf-8", "surrogatepass"))
        finally:
            os.close(handle)

    def _read(self) -> None:
        content = self.path.read_bytes()
        for line in content.split(b"\n"):
            try:
                row = json.loads(line.decode("utf-8", "surrogatepass"))
                self._answers[row["key"]] = row["answer"]
            except (ValueError, KeyError, TypeError):
                continue
        if content and not content.endswith(b"\n"):  # cut off: what is added next must start a line of its own
            with self.path.open("ab") as out:
                out.write(b"\n")


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:32]
