"""The report of real harness logs, and its page in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

from crossfact.sword.report import sections as sword_sections
from crossfact.utils.report.command import write_report
from tests.e2e.test_sword import Scripted, tagged, western

pytestmark = pytest.mark.slow  # four models through the harness, and a browser

TASKS = Path(__file__).parents[2] / "lm_eval_tasks"
LIMIT = 6
FIGURES = 9 - 1  # of SWORD's nine, all but semantic proximity, which the embedded documents do not carry

Answer = Callable[[Mapping[str, Any]], str]


def always(label: str) -> Answer:
    return lambda doc: tagged(label)


def shaky(doc: Mapping[str, Any]) -> str:
    """Right, but for one statement in three; a valid answer, but for one in seven."""
    number = sum(map(ord, doc["subject"] + doc["kind"] + doc["lang"]))
    return "?" if number % 7 == 0 else tagged(doc["target"] if number % 3 else "True")


def log_run(folder: Path, name: str, answer: Answer, limit: int = LIMIT) -> None:
    tracker = EvaluationTracker(output_path=str(folder))
    found = simple_evaluate(
        model=Scripted(answer),
        model_args=f"pretrained=scripted/{name}",
        tasks=["sword"],
        limit=limit,
        task_manager=TaskManager(include_path=str(TASKS), include_defaults=False),
        log_samples=True,
        evaluation_tracker=tracker,
    )
    samples = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=samples)
    for task, logged in samples.items():
        tracker.save_results_samples(task_name=task, samples=logged)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of a report on four scripted models, one of them run on fewer documents, and what it said."""
    logs = tmp_path_factory.mktemp("logs")
    for name, answer in {"western": western, "shaky": shaky, "always-false": always("False")}.items():
        log_run(logs, name, answer)
    log_run(logs, "short", western, limit=2)
    (logs / "results_broken.json").write_text("{")
    out = tmp_path_factory.mktemp("report")
    return out, write_report([logs], out, {"sword": sword_sections})


def test_numbers_of_scripted_models(report: tuple[Path, list[str]]) -> None:
    out, said = report
    assert "results_broken.json: no results file" in said[0]
    assert any("first 2 documents" in line and "first 6 documents" in line for line in said)
    lines = (out / "sword" / "sword_accuracy.md").read_text(encoding="utf-8").splitlines()
    rows = {
        tuple(cell.strip() for cell in line.split("|")[1:3]): line.split("|")[3:-1] for line in lines if "|" in line
    }
    found = {key: [cell.split()[0] for cell in cells] for key, cells in rows.items()}
    assert found["western", "Western"] == ["100.0"] * 8
    assert found["western", "East Asian"] == ["100.0", *["0.0"] * 5, "50.0", "0.0"]
    assert found["western", "all"][:3] == ["100.0", "75.0", "75.0"]
    assert found["always-false", "all"] == ["0.0", *["100.0"] * 5, "50.0", "0.0"]
    assert ("short", "all") not in found
    assert "short" in (out / "sword-2" / "sword_accuracy.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a headless Chromium; without one the tests are skipped, or fail where `CI` is set."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        chromium = None
    if not chromium or not driver:
        reason = "needs selenium, and Debian's packages chromium and chromium-driver"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1200,900",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield started
    started.quit()


@pytest.fixture
def page(browser: Any, report: tuple[Path, list[str]]) -> Any:
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.get((report[0] / "index.html").as_uri())
    return browser


def column(page: Any, table: str, place: int) -> list[str]:
    """Return the shown values of a table's column."""
    return page.execute_script(
        "return Array.from(document.getElementById(arguments[0]).tBodies[0].rows).filter(row => !row.hidden)"
        ".map(row => row.cells[arguments[1]].textContent)",
        table,
        place,
    )


def test_page_loads_alone_and_without_errors(page: Any) -> None:
    assert page.get_log("browser") == []
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert page.execute_script("return document.querySelectorAll('h1').length") == 1
    assert "broken" in page.find_element("css selector", ".warning").text


def test_every_figure_is_there_and_not_empty(page: Any) -> None:
    figures = page.find_elements("css selector", "figure.card")
    # the short run has a single model, and so no overlap between models
    assert len(figures) == FIGURES + FIGURES - 1
    for figure in figures:
        drawn = figure.find_element("css selector", "svg[role=img]")
        assert drawn.get_attribute("aria-label")
        box = page.execute_script("const box = arguments[0].getBBox(); return [box.width, box.height]", drawn)
        box.append(len(drawn.find_elements("css selector", "path")))
        assert min(box) > 20, figure.text


def test_tables_sort_by_mouse_and_keyboard(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    buttons = page.find_elements("css selector", "#sword-sword_accuracy th button")
    buttons[3].click()  # SS
    values = [float(value.split("[")[0]) for value in column(page, "sword-sword_accuracy", 3)]
    assert values == sorted(values)
    assert values[0] < values[-1]
    buttons[3].send_keys(Keys.ENTER)
    values = [float(value.split("[")[0]) for value in column(page, "sword-sword_accuracy", 3)]
    assert values == sorted(values, reverse=True)
    heading = page.find_element("css selector", "#sword-sword_accuracy th[aria-sort]")
    assert heading.get_attribute("aria-sort") == "descending"
    buttons[0].click()
    names = column(page, "sword-sword_accuracy", 0)
    assert names == sorted(names)


def test_tables_filter_by_words(page: Any) -> None:
    box = page.find_element("css selector", "#sword-sword_accuracy-filter")
    everything = len(column(page, "sword-sword_accuracy", 0))
    box.send_keys("SHAKY ko")
    assert column(page, "sword-sword_accuracy", 0) == ["shaky"]
    status = page.find_element("css selector", "[data-for='sword-sword_accuracy'] output")
    assert status.text == f"1 of {everything} rows"
    box.send_keys("nothing")
    assert column(page, "sword-sword_accuracy", 0) == []
    box.clear()
    box.send_keys(" ")
    assert len(column(page, "sword-sword_accuracy", 0)) == everything


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(page: Any, theme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": theme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.execute_script("return document.documentElement.scrollWidth") == 390
    wider = page.execute_script(
        "return Array.from(document.querySelectorAll('body *')).filter(one => !one.closest('.scroll *, .skip'))"
        ".filter(one => one.getBoundingClientRect().right > 391).map(one => one.outerHTML.slice(0, 80))"
    )
    assert wider == []
    ink, surface = page.execute_script(
        "const card = document.querySelector('.card'); const style = getComputedStyle(card);"
        "return [style.color, style.backgroundColor].map(text => text.match(/\\d+/g).slice(0, 3).map(Number))"
    )
    assert (sum(ink) < sum(surface)) == (theme == "light")
    assert page.get_log("browser") == []


def test_keyboard_reaches_the_results_first(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    page.find_element("css selector", "body").send_keys(Keys.TAB)
    focused = page.switch_to.active_element
    assert focused.text == "Skip to the results"
    focused.send_keys(Keys.ENTER)
    assert page.execute_script("return location.hash") == "#main"
    unlabelled = page.execute_script(
        "return Array.from(document.querySelectorAll('[tabindex=\"0\"], input')).filter(one =>"
        " !(one.ariaLabel || (one.labels && one.labels.length))).length"
    )
    assert unlabelled == 0
