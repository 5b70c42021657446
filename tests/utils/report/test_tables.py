from __future__ import annotations

import csv
import math

from crossfact.utils.report.sections import Column, Table
from crossfact.utils.report.statistics import Difference, Estimate
from crossfact.utils.report.tables import as_csv, as_latex, as_markdown

TABLE = Table(
    name="toy_table",
    title="Shares & more",
    columns=(
        Column("model", "text"),
        Column("acc"),
        Column("gap", "points"),
        Column("n", "count"),
        Column("p", "p"),
    ),
    rows=(
        ("a_b|c", Estimate(0.5, 0.25, 0.75, 8), Difference(-0.125, -0.2, 0.0, 0.01), 8, 0.0001),
        ("d", None, math.nan, 0, 1.0),
    ),
    note="Shares in %.",
)


def test_csv_has_all_digits_and_empty_gaps() -> None:
    assert list(csv.reader(as_csv(TABLE).splitlines())) == [
        ["model", "acc", "acc low", "acc high", "acc n", "gap", "gap low", "gap high", "n", "p"],
        ["a_b|c", "0.5", "0.25", "0.75", "8", "-0.125", "-0.2", "0", "8", "0.0001"],
        ["d", "", "", "", "", "", "", "", "0", "1"],
    ]


def test_markdown() -> None:
    assert as_markdown(TABLE) == (
        "**Shares & more**\n"
        "\n"
        "| model | acc | gap | n | p |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| a_b\\|c | 50.0 [25.0, 75.0] | −12.5 [−20.0, 0.0] | 8 | <0.001 |\n"
        "| d | – | – | 0 | 1.000 |\n"
        "\n"
        "Shares in %.\n"
    )


def test_latex() -> None:
    assert as_latex(TABLE) == (
        "\\begin{table}\n"
        "\\centering\\small\n"
        "\\caption{Shares \\& more. Shares in \\%.}\n"
        "\\label{tab:toy_table}\n"
        "\\begin{tabular}{lrrrr}\n"
        "\\toprule\n"
        "model & acc & gap & n & p \\\\\n"
        "\\midrule\n"
        "a\\_b|c & 50.0 [25.0, 75.0] & $-$12.5 [$-$20.0, 0.0] & 8 & $<$0.001 \\\\\n"
        "d & -- & -- & 0 & 1.000 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )
