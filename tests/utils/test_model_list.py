from __future__ import annotations

from pathlib import Path

import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.model_list import Entry, read_models

LIST = """
defaults: {tasks: [sword, fiber_it], limit: 4, model: hf}
models:
  - name: small
    model_args: {pretrained: org/small}
  - name: chat-1.5
    model: local-chat-completions
    tasks: sword
"""


def test_models_with_defaults(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text(LIST)
    assert read_models(tmp_path / "models.yaml") == [
        Entry(
            "small",
            {"tasks": ["sword", "fiber_it"], "limit": 4, "model": "hf", "model_args": {"pretrained": "org/small"}},
        ),
        Entry("chat-1.5", {"tasks": "sword", "limit": 4, "model": "local-chat-completions"}),
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("models: [", "is not YAML"),
        ("- a", "expected a mapping with defaults, models"),
        ("models: []", "`models` is a list with at least one model"),
        ("models: [{name: a}]\nextra: 1", "unknown option 'extra'"),
        ("defaults: {limits: 4}\nmodels: [{name: a}]", "defaults: unknown option 'limits'"),
        ("models: [{name: a, model: hf, tasks: x, output_path: y}]", "model 1: unknown option 'output_path'"),
        ("models: [{model: hf, tasks: x}]", "model 1: give it a `name`"),
        ("models: [{name: ../x, model: hf, tasks: x}]", "model 1: give it a `name`"),
        ("models: [{name: a, model: hf}]", "a has no `tasks`"),
        ("models: [{name: a, tasks: x}]", "a has no `model`"),
        ("models: [{name: a, tasks: x, model: hf}, {name: a, tasks: x, model: hf}]", "two models are called a"),
    ],
)
def test_mistakes_are_named(content: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text(content)
    with pytest.raises(UserError) as error:
        read_models(tmp_path / "models.yaml")
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*none\.yaml: No such file"):
        read_models(tmp_path / "none.yaml")
