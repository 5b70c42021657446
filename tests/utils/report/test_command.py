from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from crossfact.utils.errors import UserError
from crossfact.utils.report.command import write_report
from tests.utils.report.logged import write_run
from tests.utils.report.test_sections import toy_sections

SAMPLES = [{"doc": {"id": f"item{place}"}, "acc": float(place < 3)} for place in range(4)]
FAMILIES = {"toy": toy_sections}


class Outline(HTMLParser):
    """Collects what a test asks of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if tag == "a" else []
        self.loaded += [known[name] for name in ("src", "href", "xlink:href") if tag != "a" and name in known]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_files_and_page(tmp_path: Path) -> None:
    write_run(tmp_path / "a", "lab/alpha", {"toy_en": SAMPLES, "toy_tr": SAMPLES, "mmlu": SAMPLES})
    out = tmp_path / "out"
    said = write_report([tmp_path / "a"], out, FAMILIES)
    assert said == [
        "not reported, because no benchmark here knows them: mmlu",
        f"written: {out / 'index.html'} (1 runs, 1 tables, 1 figures)",
    ]
    written = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    kinds = ("toy_accuracy.csv", "toy_accuracy.md", "toy_accuracy.tex", "toy_bars.svg", "toy_bars.pdf")
    assert written == {"index.html", *(f"toy/{name}" for name in kinds)}
    assert (out / "toy/toy_bars.pdf").read_bytes().startswith(b"%PDF")
    page = Outline((out / "index.html").read_text(encoding="utf-8"))
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        target = link[1:] in page.ids if link.startswith("#") else (out / link).is_file()
        assert target, link
    assert all(link.startswith(("#", "data:")) for link in page.loaded), page.loaded
    assert "75.0" in page.words


def test_runs_that_cannot_be_compared_are_apart(tmp_path: Path) -> None:
    write_run(tmp_path / "a", "lab/alpha", {"toy_en": SAMPLES, "toy_tr": SAMPLES})
    write_run(tmp_path / "b", "lab/beta", {"toy_en": SAMPLES}, chat=True)
    out = tmp_path / "out"
    said = write_report([tmp_path], out, FAMILIES)
    assert len(said) == 2
    assert said[0] == (
        "TOY (2): shown apart from part 1 (alpha) and never averaged with it: "
        "here with chat template; there without chat template"
    )
    assert "alpha" in (out / "toy/toy_accuracy.csv").read_text()
    assert "beta" not in (out / "toy/toy_accuracy.csv").read_text()
    assert "beta" in (out / "toy-2/toy_accuracy.csv").read_text()
    page = (out / "index.html").read_text()
    assert page.count("Not comparable") == 2
    assert page.count("<svg role") == 2


def test_text_from_logs_is_text_on_the_page(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>&"
    write_run(tmp_path / "a", evil, {"toy_en": SAMPLES})
    (tmp_path / "a" / f"results_{evil.replace('/', '')}.json").write_text("{")
    write_report([tmp_path / "a"], tmp_path / "out", FAMILIES)
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_same_report_each_time(tmp_path: Path) -> None:
    write_run(tmp_path / "a", "alpha", {"toy_en": SAMPLES})
    for name in ("one", "two"):
        write_report([tmp_path / "a"], tmp_path / name, FAMILIES)
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes(), path.name


def test_nothing_of_ours(tmp_path: Path) -> None:
    write_run(tmp_path / "a", "alpha", {"mmlu": SAMPLES})
    with pytest.raises(UserError, match="no results of toy among 1 results files"):
        write_report([tmp_path / "a"], tmp_path / "out", FAMILIES)


def test_matplotlib_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys; import crossfact.utils.report.command; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.findall(r"True|False", done.stdout) == ["False"]
