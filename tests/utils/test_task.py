from __future__ import annotations

import pytest
from lm_eval.tasks import TaskManager

from crossfact.utils.errors import UserError
from tests.clear.scripted import TASKS


def _load(metadata: dict[str, object]) -> None:
    TaskManager(include_path=str(TASKS), include_defaults=False, metadata=metadata).load(["sword_en"])


def test_a_misspelt_option_does_not_run_on_other_data() -> None:
    with pytest.raises(UserError, match="no option 'sourc'; write 'source'"):
        _load({"sourc": "somewhere"})


def test_arguments_of_the_model_are_no_mistakes() -> None:
    _load({"pretrained": "x", "dtype": "float32", "model": "y", "base_url": "z", "temperature": 0.1})
