"""The judge, with a scripted server in its place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lm_eval.loggers import EvaluationTracker

from crossfact.clear.judge import judge, judge_run
from crossfact.clear.judge_check import check_judge, labelled_pairs
from crossfact.clear.judging import Pair, judge_pairs, prompt, read_decisions
from crossfact.clear.logged import find_runs
from crossfact.utils.errors import UserError
from crossfact.utils.languages import CLEAR_LANGUAGES
from crossfact.utils.llm import UnusableError
from tests.clear import scripted
from tests.clear.scripted import ScriptedLM, evaluate
from tests.loopback import Fault, Loopback

MODEL = "local-chat-completions"
PAIRS = [Pair("en", ("Paris",), name) for name in ("Paris", "paris city", "Lyon")]
LINE = re.compile(r"^(ID\d+): GT: (\[.*\]), ANS: (\".*\")$", re.MULTILINE)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSFACT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("crossfact.utils.llm_patience.FIRST_WAIT", 0.01)


def asked(text: str) -> dict[str, tuple[list[str], str]]:
    return {name: (json.loads(gold), json.loads(said)) for name, gold, said in LINE.findall(text)}


def fair(text: str) -> str:
    """Accepts what begins like a gold answer, whatever its case."""
    decisions = {
        name: any(said.lower().startswith(alias.lower()) for alias in gold)
        for name, (gold, said) in asked(text).items()
    }
    return json.dumps({"results": decisions})


@pytest.fixture
def server() -> Iterator[Callable[..., Loopback]]:
    opened = []

    def start(*args: Any, **kwargs: Any) -> Loopback:
        opened.append(Loopback(*args, **kwargs))
        return opened[-1].__enter__()

    yield start
    for loopback in opened:
        loopback.__exit__()


def test_the_prompt_is_the_papers() -> None:
    text = prompt([Pair("bn", ("ঢাকা", "Dhaka"), 'the "city"'), Pair("bn", ("x",), "y")])
    assert text.startswith("You are a precise multilingual knowledge validator.\nTask: Compare each Pair of")
    assert "below for the language: Bengali.\n" in text
    assert "or common synonyms in Bengali.\n" in text
    assert 'ID101: GT: ["ঢাকা", "Dhaka"], ANS: "the \\"city\\""\nID102: GT: ["x"], ANS: "y"\nOutput ONLY JSON' in text
    assert text.endswith('{ "results": { "ID1": true, "ID2": false } }')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"results": {"ID101": true, "ID102": true, "ID103": false}}', [True, True, False]),
        ('Sure!\n```json\n{"results": {"ID101": true, "ID102": false}}\n```\nBye', [True, False, None]),
        ('{"ID101": "false", "ID102": "True", "ID103": False}', [False, True, False]),
        ("{'results': {'ID101': true}}", [True, None, None]),
        ('{"results": {"ID101": true, "ID102": fal', [True, None, None]),
        ('{"results": {"ID101": true, "ID101": false, "ID102": true}}', [None, True, None]),
        ('{"results": {"ID1": false, "ID101": true, "ID999": true}}', [True, None, None]),
        ('<think>{"ID101": false}</think>{"ID101": true}', [True, None, None]),
        ('{"ID101": "not true", "ID102": null, "ID103": true}', [None, None, True]),
    ],
)
def test_decisions_are_read_and_never_guessed(text: str, expected: list[bool | None]) -> None:
    decided = read_decisions(text, PAIRS)
    assert [decided.get(pair) for pair in PAIRS] == expected


@pytest.mark.parametrize(
    "text", ["", "I cannot.", '{ "results": { "ID1": true, "ID2": false } }', "<think>ID101: true"]
)
def test_an_answer_without_a_decision_is_of_no_use(text: str) -> None:
    with pytest.raises(UnusableError):
        read_decisions(text, PAIRS)


def test_batches_hold_one_language_and_every_pair_once(server: Callable[..., Loopback]) -> None:
    loopback = server(fair)
    pairs = [Pair(lang, (f"g{number}",), f"g{number}") for lang in ("tr", "en") for number in range(5)]
    decided = judge_pairs(pairs + pairs, MODEL, loopback.model_args(), batch=3)
    assert decided == dict.fromkeys(pairs, True)
    assert [len(asked(text)) for text in loopback.prompts] == [3, 2, 3, 2]
    assert ["English" in text for text in loopback.prompts] == [True, True, False, False]


def test_what_an_answer_leaves_out_is_asked_again(server: Callable[..., Loopback]) -> None:
    def forgetful(text: str) -> str:
        decisions = json.loads(fair(text))["results"]
        if len(decisions) > 1:
            decisions.popitem()
        return json.dumps(decisions)

    loopback = server(forgetful)
    assert judge_pairs(PAIRS, MODEL, loopback.model_args()) == dict(zip(PAIRS, (True, True, False), strict=True))
    assert [len(asked(text)) for text in loopback.prompts] == [3, 1]


def test_what_is_never_decided_stays_open_and_tries_are_bounded(server: Callable[..., Loopback]) -> None:
    loopback = server(lambda text: '{"ID101": true}' if len(asked(text)) == 3 else '{"ID101": true, "ID101": false}')
    assert judge_pairs(PAIRS, MODEL, loopback.model_args()) == {PAIRS[0]: True}
    assert len(loopback.prompts) == 1 + 3 + 2 * 3


def test_faults_of_the_server_are_waited_out(server: Callable[..., Loopback]) -> None:
    faults = [Fault(status=429, headers={"Retry-After": "0"}), Fault(status=500), Fault(body=b"{"), Fault(drop=True)]
    loopback = server(fair, faults)
    assert len(judge_pairs(PAIRS, MODEL, loopback.model_args())) == 3
    assert len(loopback.prompts) == len(faults) + 1


@pytest.fixture(scope="session")
def evaluated(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logged results of a model that shouts: right for a judge alone, wrong for equality in case-sensitive eyes."""
    folder = tmp_path_factory.mktemp("evaluated")
    tasks = [f"clear_popqa_task{number}_{lang}" for number in (1, 2, 4) for lang in ("en", "tr")]
    results = evaluate(ScriptedLM(scripted.stubborn, wrap="{} town"), [*tasks, "clear_strategyqa_task1_en"], source)
    samples = results.pop("samples")
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "scripted"
    tracker.save_results_aggregated(results=results, samples=samples)
    for task, own in samples.items():
        tracker.save_results_samples(task_name=task, samples=own)
    return folder


def test_a_run_is_judged_and_every_metric_computed_again(
    evaluated: Path, server: Callable[..., Loopback], tmp_path: Path
) -> None:
    loopback = server(fair)
    (run,) = find_runs([evaluated])
    summary = judge_run(run, MODEL, loopback.model_args())
    path = run.path.with_name(f"results_{run.date}_judge.json")
    written = json.loads(path.read_text())
    # equality accepts no "Gold0en town", the judge accepts all that begin right
    assert run.results["results"]["clear_popqa_task1_en"]["acc,exact"] == 0
    assert written["results"]["clear_popqa_task1_en"]["acc,judge"] == 0.75
    assert written["results"]["clear_popqa_task2_tr"]["sr,judge"] == 1
    assert written["results"]["clear_popqa_task2_tr"]["pr,judge"] == 0
    assert written["results"]["clear_popqa_task4_en"]["pos_tt,judge"] == 1
    assert written["results"]["clear_popqa_task1_en"]["acc_stderr,judge"] == pytest.approx(0.25)
    assert written["judge"]["gap"]["clear_popqa_task1_en"] == {"judge": 0.75, "exact": 0, "gap": 75, "documents": 4}
    assert set(written["judge"]["unjudged"].values()) == {0}
    assert not any("strategyqa" in name for name in written["results"])
    assert "clear_popqa_task1_en                75.0     0.0  +75.0          4         0" in summary
    lines = (path.parent / f"samples_clear_popqa_task2_en_{run.date}_judge.jsonl").read_text().splitlines()
    sample = json.loads(lines[0])
    assert sample["filter"] == "judge"
    assert json.loads(sample["filtered_resps"][0]) == {
        "answer": "gold0en town",
        "right": True,
        "adopted": False,
        "unfinished": False,
    }

    before = len(loopback.prompts)
    first = path.read_bytes()
    (again,) = find_runs([evaluated])  # what the judge wrote is not judged again
    judge_run(again, MODEL, loopback.model_args())
    assert len(loopback.prompts) == before
    assert path.read_bytes() == first


def test_what_is_not_judged_is_counted_and_never_wrong(evaluated: Path, server: Callable[..., Loopback]) -> None:
    def blind_to_item_0(text: str) -> str:
        decisions = json.loads(fair(text))["results"]
        seen = {name: value for name, value in decisions.items() if not asked(text)[name][0][0].startswith("Gold0")}
        return json.dumps(seen or {"ID1": True})

    loopback = server(blind_to_item_0)
    (run,) = find_runs([evaluated])
    judge_run(run, MODEL, loopback.model_args())
    written = json.loads(run.path.with_name(f"results_{run.date}_judge.json").read_text())
    scores = written["results"]
    assert scores["clear_popqa_task1_tr"]["acc,judge"] == pytest.approx(1 / 3)  # items 1 right, 2 and 3 wrong
    assert written["judge"]["gap"]["clear_popqa_task1_tr"]["documents"] == 3
    assert written["judge"]["unjudged"] == {
        **{"clear_popqa_task1_en": 1, "clear_popqa_task1_tr": 1, "clear_popqa_task2_en": 3},
        **{"clear_popqa_task2_tr": 3, "clear_popqa_task4_en": 28, "clear_popqa_task4_tr": 28},
    }
    assert scores["clear_popqa_task4_en"]["pos_tt,judge"] == 1
    assert scores["clear_popqa_task2_en"]["sr,judge"] == 1
    assert not math.isnan(scores["clear_popqa_task2_en"]["pr,judge"])


def test_bad_input_is_named_in_one_line(tmp_path: Path, evaluated: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        find_runs([tmp_path / "nowhere"])
    with pytest.raises(UserError, match="no results of clear_popqa tasks"):
        find_runs([tmp_path])
    (tmp_path / "results_1.json").write_text("{}")
    with pytest.raises(UserError, match="no results file of lm_eval"):
        find_runs([tmp_path])
    (tmp_path / "results_1.json").write_text('{"configs": {"clear_popqa_task1_en": {}}}')
    with pytest.raises(UserError, match="--log_samples"):
        find_runs([tmp_path])
    (tmp_path / "samples_clear_popqa_task1_en_1.jsonl").write_text('{"filter": "exact", "doc": {}}\n')
    with pytest.raises(UserError, match="line 1: no logged CLEAR sample"):
        find_runs([tmp_path])
    with pytest.raises(UserError, match="which model"):
        judge([evaluated])
    with pytest.raises(UserError, match="--check alone"):
        judge([evaluated], model="hf", check=True)
    with pytest.raises(UserError, match="--check alone"):
        judge(None, model="hf")


def test_labelled_pairs_are_ours_balanced_and_in_all_languages() -> None:
    labels = labelled_pairs()
    assert len(labels) >= 100
    for lang in CLEAR_LANGUAGES:
        own = [same for pair, same in labels.items() if pair.lang == lang]
        assert len(own) >= 10
        assert 4 <= sum(own) <= 7


def test_a_judges_agreement_is_measured(server: Callable[..., Loopback]) -> None:
    labels = labelled_pairs()
    same_by_texts = {(pair.gold, pair.said): same for pair, same in labels.items()}
    assert len(same_by_texts) == len(labels)

    def harsh_on_english(text: str) -> str:
        english = "language: English" in text
        return json.dumps(
            {name: same_by_texts[tuple(gold), said] and not english for name, (gold, said) in asked(text).items()}
        )

    rows = {
        row.split()[0]: row.split()[1:]
        for row in check_judge(MODEL, server(harsh_on_english).model_args()).splitlines()[1:]
    }
    right = sum(same for pair, same in labels.items() if pair.lang == "en")
    assert rows["de"] == ["11", "100.0%", "0", "0", "0"]
    assert rows["en"][2:] == ["0", str(right), "0"]
    assert rows["all"][1] == f"{1 - right / len(labels):.1%}"
