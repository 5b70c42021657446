"""Releases of the harness before 0.4.12, whose YAML loader looks for functions in files beside the YAML alone."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


def let_yaml_name_our_functions() -> None:
    """Teach an older harness to find `!function crossfact.…` where it is installed; later releases do so themselves."""
    from lm_eval import utils

    beside_the_yaml = getattr(utils, "import_function", None)
    if beside_the_yaml is None:
        return

    def import_function(loader: Any, node: Any, yaml_path: Path) -> Any:
        module, _, name = loader.construct_scalar(node).rpartition(".")
        if module.startswith("crossfact."):
            return getattr(import_module(module), name)
        return beside_the_yaml(loader, node, yaml_path=yaml_path)

    utils.import_function = import_function
