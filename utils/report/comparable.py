"""Which runs may stand side by side.

Two runs of a task are comparable if they read the same documents in the same way: the same version of the task, the
same source and fingerprint, the same limit, shots, options and system prompt, and both or neither with a chat template.
All others are shown apart, and nothing is ever averaged over them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from crossfact.utils.report.logs import Run, TaskLog

_SPEED_ONLY = frozenset(
    {"device", "batch_size", "max_batch_size", "parallelize", "device_map", "tensor_parallel_size", "num_concurrent"}
    | {"data_parallel_size", "gpu_memory_utilization", "max_retries", "timeout", "base_url", "swap_space"}
)
"""Arguments of a backend that say how fast and where it runs, not what it answers."""


@dataclass(frozen=True)
class Setting:
    """How a task was run; the same for all comparable runs."""

    version: str
    source: str
    limit: float | None
    shots: int
    options: str
    chat: bool
    system: str

    def __str__(self) -> str:
        """Describe it in one line."""
        return ", ".join(self.words())

    def words(self) -> list[str]:
        """Describe its parts."""
        parts = [f"source {self.source or 'unknown'}", f"version {self.version or 'unknown'}"]
        if self.limit is None:
            parts.append("all documents")
        else:
            parts.append(f"{self.limit:.0%} of the documents" if self.limit < 1 else f"first {self.limit:g} documents")
        parts.append(f"{self.shots} examples in the prompt" if self.shots else "no examples in the prompt")
        if self.options:
            parts.append(f"options {self.options}")
        parts.append("with chat template" if self.chat else "without chat template")
        if self.system:
            parts.append(f"system prompt {self.system!r}")
        return parts


@dataclass(frozen=True)
class Model:
    """A model and all its comparable tasks of one family, of one results file or several.

    Attributes:
        label: Its name in tables and figures; unique among the models that it is compared with.
        tasks: Its tasks by name.
    """

    label: str
    tasks: Mapping[str, TaskLog]


@dataclass(frozen=True)
class Comparable:
    """Models that may be compared.

    Attributes:
        setting: What they share.
        data: The fingerprint of their first task, to tell two versions of one source apart.
        models: In the order of their labels.
    """

    setting: Setting
    data: str
    models: tuple[Model, ...]


def group_comparable(runs: Sequence[Run], family: str) -> list[Comparable]:
    """Return the runs of a family's tasks (`<family>_…`) in groups within which they may be compared.

    A model's tasks may lie in several results files. If it ran a task twice, the later run stands beside the first as
    a model of its own. The largest group comes first.
    """
    labels = model_labels(runs)
    groups: dict[Setting, list[_Group]] = {}
    for run, label in zip(runs, labels, strict=True):
        for setting, tasks in _by_setting(run, family).items():
            known = groups.setdefault(setting, [])
            group = next((group for group in known if group.agrees(tasks)), None)
            if group is None:
                group = _Group()
                known.append(group)
            group.add(label, run, tasks)
    found = [group.comparable(setting) for setting, known in groups.items() for group in known]
    return sorted(found, key=lambda group: -sum(len(model.tasks) for model in group.models))


def model_labels(runs: Sequence[Run]) -> list[str]:
    """Return a short name for each run's model: the same for the same model, different for different ones.

    The last part of its name or path, more parts where two would be equal, and the arguments that tell two ways to
    run the same model apart.
    """
    names = sorted({run.model for run in runs})
    short = {name: _shortest(name, names) for name in names}
    labels = []
    for run in runs:
        others = [_identity(other) for other in runs if other.model == run.model]
        own = _identity(run)
        differing = [key for key in sorted({k for other in others for k in other}) if _differs(key, others)]
        told = ", ".join(f"{key}={own[key]}" for key in differing if key in own)
        labels.append(f"{short[run.model]} ({told})" if told else short[run.model])
    return labels


class _Group:
    """Comparable runs, while they are being gathered."""

    def __init__(self) -> None:
        self._fingerprints: dict[str, str] = {}
        self._models: dict[str, dict[str, TaskLog]] = {}

    def agrees(self, tasks: Mapping[str, TaskLog]) -> bool:
        return all(self._fingerprints.get(name, log.fingerprint) == log.fingerprint for name, log in tasks.items())

    def add(self, label: str, run: Run, tasks: Mapping[str, TaskLog]) -> None:
        self._fingerprints |= {name: log.fingerprint for name, log in tasks.items()}
        if tasks.keys() & self._models.get(label, {}).keys():
            label = f"{label} (again, {run.date})"
        self._models.setdefault(label, {}).update(tasks)

    def comparable(self, setting: Setting) -> Comparable:
        models = tuple(
            Model(label, tasks) for label, tasks in sorted(self._models.items(), key=lambda item: item[0].casefold())
        )
        return Comparable(setting, next(iter(self._fingerprints.values())), models)


def _by_setting(run: Run, family: str) -> dict[Setting, dict[str, TaskLog]]:
    found: dict[Setting, dict[str, TaskLog]] = {}
    for name, log in run.tasks.items():
        if name.startswith(f"{family}_"):
            setting = Setting(log.version, log.source, log.limit, log.shots, log.options, run.chat, run.system)
            found.setdefault(setting, {})[name] = log
    return found


def _identity(run: Run) -> dict[str, str]:
    return {key: value for key, value in run.arguments.items() if key not in _SPEED_ONLY}


def _differs(key: str, identities: Sequence[Mapping[str, str]]) -> bool:
    return len(Counter(identity.get(key) for identity in identities)) > 1


def _shortest(name: str, names: Sequence[str]) -> str:
    """Return the fewest last parts of a name that no other name ends with."""
    parts = [part for part in PurePath(name).parts if part != "/"]
    for length in range(1, len(parts)):
        tail = parts[-length:]
        if sum([*PurePath(other).parts][-length:] == tail for other in names) == 1:
            return "/".join(tail)
    return "/".join(parts) or name


def why_apart(here: Comparable, there: Comparable) -> str:
    """Return what differs between two groups, in words."""
    mine, other = here.setting.words(), there.setting.words()
    if mine == other:
        return f"other data (fingerprint {here.data} here, {there.data} there)"
    only_here = ", ".join(part for part in mine if part not in other) or "nothing more"
    only_there = ", ".join(part for part in other if part not in mine) or "nothing more"
    return f"here {only_here}; there {only_there}"
