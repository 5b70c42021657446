"""The same tasks on every release of the harness that setup.cfg allows: `nox`, or `nox -s harness-0.4.9.2`."""

from __future__ import annotations

import nox

RELEASES = ("0.4.9.2", "0.4.10", "0.4.11", "0.4.12", "0.4.13")
# The last release of transformers that an older harness can import.
OLD_TRANSFORMERS = {"0.4.9.2": "transformers<5"}

nox.options.default_venv_backend = "venv"


@nox.session
@nox.parametrize("release", RELEASES, ids=RELEASES)
def harness(session: nox.Session, release: str) -> None:
    """Score all three families with a scripted model whose metrics are known."""
    try:
        session.install(
            "torch==2.13.0",
            f"lm-eval=={release}",
            OLD_TRANSFORMERS.get(release, "transformers"),
            "accelerate",
            ".",  # from a wheel: 0.4.9.2 cannot show tasks that lie outside its own folder
        )
    except nox.command.CommandFailed:
        session.skip(f"lm-eval {release} cannot be installed with this Python")
    session.run("python", "tests/e2e/harness_versions.py", release, env={"HF_HUB_OFFLINE": "1"})
