"""Two sources that contradict one another, by what the model remembers in either language (the paper's Table 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossfact.clear.metrics import QUADRANTS
from crossfact.clear.report_outcomes import DATASETS, Answers
from crossfact.clear.report_rates import CHANCE, pool, two_sources
from crossfact.utils.report import charts, figures
from crossfact.utils.report.sections import Cell, Column, Figure, Table
from crossfact.utils.report.statistics import Clustered, Difference, Estimate, differences, estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

CONDITIONS = {"pos": "Q=Pos", "neg": "Q=Neg"}
_Key = tuple[str, str, str]


def quadrants(answers: Answers) -> tuple[Table, Figure]:
    """Return accuracy by quadrant of memory as a table and as a figure."""
    scores = {
        (model, dataset, role): sets
        for dataset in answers.datasets
        for role in CONDITIONS
        for model in answers.models
        if (sets := _by_quadrant(answers, model, dataset, role))
    }
    found = {key: dict(zip(sets, estimates(list(sets.values())), strict=True)) for key, sets in scores.items()}
    tf_minus_ft = dict(zip(scores, differences([(sets["tf"], sets["ft"]) for sets in scores.values()]), strict=True))
    return _table(answers, found, tf_minus_ft), _figure(answers, found)


def _table(answers: Answers, found: dict[_Key, dict[str, Estimate]], tf_minus_ft: dict[_Key, Difference]) -> Table:
    names = ("", *QUADRANTS)
    rows: list[tuple[Cell, ...]] = [
        (
            model,
            DATASETS[dataset],
            CONDITIONS[role],
            *(known.get(name) for name in names),
            tf_minus_ft.get((model, dataset, role)),
        )
        for dataset in answers.datasets
        for role in CONDITIONS
        for model in answers.models
        for known in [found.get((model, dataset, role), {})]
    ]
    rows += [
        ("random", DATASETS[dataset], heading, *[CHANCE[dataset]] * len(names), 0.0)
        for dataset in answers.datasets
        if dataset in CHANCE
        for heading in CONDITIONS.values()
    ]
    labels = (Column("model", "text"), Column("dataset", "text"), Column("query", "text"))
    return Table(
        name="clear_quadrants",
        title="Accuracy under two contradicting sources, by what the model remembers",
        columns=(*labels, Column("all"), *map(Column, map(str.upper, QUADRANTS)), Column("TF−FT", "points")),
        rows=tuple(rows),
        note="Task 4, in percent, pooled over items and pairs of languages. Q=Pos: the question has the language of "
        "the truthful source; Q=Neg: of the false one. TT, TF, FT, FF: memory is right (T) or wrong (F) in the "
        "truthful language, then in the false one. TF−FT in percentage points. A quadrant without a case is a gap. "
        "After the paper's Table 3.",
    )


def _figure(answers: Answers, found: dict[_Key, dict[str, Estimate]]) -> Figure:
    models = [model for model in answers.models if any(key[0] == model for key in found)]
    rows: list[tuple[Cell, ...]] = [
        (model, DATASETS[dataset], CONDITIONS[role], name.upper(), estimate)
        for (model, dataset, role), known in found.items()
        for name, estimate in known.items()
        if name
    ]

    def draw() -> Drawing:
        drawing, panels = figures.panels(len(answers.datasets), len(CONDITIONS), width=3.4, height=1.9)
        for line, dataset in zip(panels, answers.datasets, strict=True):
            for axes, (role, heading) in zip(line, CONDITIONS.items(), strict=True):
                series = {
                    model: [found.get((model, dataset, role), {}).get(name) for name in QUADRANTS] for model in models
                }
                charts.grouped_bars(axes, [name.upper() for name in QUADRANTS], series)
                charts.percent_axis(axes.yaxis)
                if dataset in CHANCE:
                    charts.baseline(axes, CHANCE[dataset])
                axes.set(title=f"{DATASETS[dataset]}, {heading}", ylim=(0, 1))
            line[0].set_ylabel("% right")
        figures.legend(drawing, panels[-1, 0])
        return drawing

    columns = ("model", "dataset", "query", "memory")
    title = "Accuracy under two sources by quadrant of memory"
    return Figure(
        "clear_quadrant_bars",
        title,
        draw,
        Table(
            "clear_quadrant_bars_data",
            title,
            (*(Column(name, "text") for name in columns), Column("accuracy")),
            tuple(rows),
        ),
        "TT: memory is right in the languages of both sources; TF: in that of the truthful one alone; FT: in that of "
        "the false one alone; FF: in neither. Left: the question has the language of the truthful source, right: of "
        "the false one. Lines: 95 % intervals. Dotted: true or false at random. The numbers of the paper's Table 3.",
    )


def _by_quadrant(answers: Answers, model: str, dataset: str, role: str) -> dict[str, Clustered]:
    tasks = [answers.get(model, dataset, 4, lang) for lang in answers.languages]
    known = [outcomes for outcomes in tasks if outcomes is not None]
    sets = {
        quadrant: pool(
            (outcomes, two_sources(outcomes, role, evidence, quadrant))
            for outcomes in known
            for evidence in outcomes.languages(role)
        )
        for quadrant in ("", *QUADRANTS)
    }
    return {quadrant: one for quadrant, one in sets.items() if one is not None}
