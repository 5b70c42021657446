"""The models of a leaderboard, from a YAML file.

defaults:                                   # for every model; any option of the harness's own command
  tasks: [sword, clear_popqa_task1, fiber_it]
  batch_size: auto
models:
  - name: qwen3-8b                          # its name in the table, and of its folder
    model: vllm
    model_args: {pretrained: Qwen/Qwen3-8B, enable_thinking: false}
    apply_chat_template: true
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from crossfact.utils.errors import UserError

_NAME = re.compile(r"[\w.-]*\w")
_OURS = frozenset({"config", "output_path", "log_samples"})
"""Options that the leaderboard sets itself."""


@dataclass(frozen=True)
class Entry:
    """One model.

    Attributes:
        name: Its name in the table.
        settings: Options of the harness's command, as in the file for its `--config`.
    """

    name: str
    settings: dict[str, Any]


def read_models(file: Path) -> list[Entry]:
    """Return the models of a file, in their order.

    Raises:
        UserError: The file cannot be read, or a model has no name, one of another model, an option that the harness
            does not know, no backend or no tasks.
    """
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise UserError(f"{file} is not YAML: {' '.join(str(error).split())}") from error
    content = _mapping(content, f"{file}", {"defaults", "models"})
    defaults = _mapping(content.get("defaults") or {}, f"{file}, defaults", _options())
    models = content.get("models")
    if not isinstance(models, list) or not models:
        raise UserError(f"{file}: `models` is a list with at least one model")
    entries: list[Entry] = []
    for number, row in enumerate(models, 1):
        row = _mapping(row, f"{file}, model {number}", _options() | {"name"})
        name = str(row.get("name", ""))
        if not _NAME.fullmatch(name):
            raise UserError(
                f"{file}, model {number}: give it a `name` of letters, digits, dots, dashes and underscores"
            )
        if name in {entry.name for entry in entries}:
            raise UserError(f"{file}: two models are called {name}: rename one")
        settings = {**defaults, **{key: value for key, value in row.items() if key != "name"}}
        for needed in ("model", "tasks"):
            if not settings.get(needed):
                raise UserError(f"{file}: {name} has no `{needed}`, and there is none in `defaults`")
        entries.append(Entry(name, settings))
    return entries


def _mapping(value: object, where: str, known: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{where}: expected a mapping with {', '.join(sorted(known))}")
    if unknown := sorted(map(str, value.keys() - known)):
        raise UserError(f"{where}: unknown option {unknown[0]!r}; known are {', '.join(sorted(known))}")
    return value


def _options() -> set[str]:
    try:
        from lm_eval.config.evaluate_config import EvaluatorConfig
    except ImportError as error:
        raise UserError("a leaderboard needs lm-eval 0.4.10 or later, which reads its options from a file") from error
    return {field.name for field in fields(EvaluatorConfig)} - _OURS
