from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.figure import Figure as Drawing

from crossfact.utils.report import charts, figures
from crossfact.utils.report.statistics import Estimate

NAN = math.nan


def texts(drawing: Drawing) -> list[str]:
    return [text.get_text() for axes in drawing.axes for text in axes.texts]


def test_density_by_hand() -> None:
    width = 1.06 * math.sqrt(0.5) * 2**-0.2
    x, y = charts.density_curve([0.0, 1.0, NAN], -4, 5, points=10)
    assert x.tolist() == [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5]
    expected = (1 + math.exp(-0.5 / width**2)) / (2 * width * math.sqrt(2 * math.pi))
    assert y[4] == pytest.approx(expected)
    assert y[5] == pytest.approx(expected)


def test_density_is_one_in_all() -> None:
    x, y = charts.density_curve(np.random.default_rng(0).normal(0.3, 0.1, 300).tolist(), -1, 2)
    assert float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum()) == pytest.approx(1, abs=1e-3)
    assert x[int(np.argmax(y))] == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5], [NAN, 0.5]])
def test_no_density_without_different_values(values: list[float]) -> None:
    assert np.isnan(charts.density_curve(values, 0, 1)[1]).all()


def test_heat_map_marks_gaps_and_never_draws_them_as_zero() -> None:
    drawing, panels = figures.panels(1, 1)
    values = np.array([[0.0, NAN], [0.256, 1.0]])
    charts.heat_map(panels[0, 0], values, ["a", "b"], ["c", "d"])
    assert texts(drawing) == ["0", "–", "26", "100"]
    (mesh,) = (found for found in panels[0, 0].collections if found.get_array() is not None)
    assert np.ma.getmaskarray(mesh.get_array()).ravel().tolist() == [False, True, False, False]


def test_heat_map_without_a_diagonal() -> None:
    drawing, panels = figures.panels(1, 1)
    charts.heat_map(
        panels[0, 0], np.array([[1.0, -0.05], [0.1, NAN]]), "ab", "ab", low=-1, diagonal=False, how="points"
    )
    assert texts(drawing) == ["−5", "+10"]


def test_bars_show_values_intervals_and_gaps() -> None:
    drawing, panels = figures.panels(1, 1)
    axes = panels[0, 0]
    series = {"one": [Estimate(0.5, 0.4, 0.7, 9), None], "two": [Estimate(0.25, NAN, NAN, 1)] * 2}
    charts.grouped_bars(axes, ["en", "tr"], series)
    charts.baseline(axes, 0.5)
    assert [bar.get_height() for bar in axes.patches] == [0.5, 0.0, 0.25, 0.25]
    assert texts(drawing) == ["–"]
    first = axes.collections[0].get_segments()[0]
    assert first[:, 1].tolist() == pytest.approx([0.4, 0.7])
    assert "random" in axes.get_legend_handles_labels()[1]


def test_lines_stop_at_gaps() -> None:
    _, panels = figures.panels(1, 1)
    charts.lines(panels[0, 0], [1, 2, 3], {"one": [Estimate(0.5, 0.4, 0.7, 9), None, Estimate(0.2, 0.1, 0.3, 9)]})
    assert np.isnan(panels[0, 0].lines[0].get_ydata()).tolist() == [False, True, False]


def test_strips_keep_codes_in_place() -> None:
    _, panels = figures.panels(1, 1)
    codes = np.array([[0, 1, -1], [1, 1, 0]], dtype=np.int8)
    charts.strips(panels[0, 0], codes, ["en", "tr"], ["#0072b2", "#151515"], ["x"])
    shown = panels[0, 0].images[0].get_array()
    assert np.ma.getmaskarray(shown).tolist() == [[False, False, True], [False] * 3]
    assert shown.filled(9).tolist() == [[0, 1, 9], [1, 1, 0]]


def test_all_panels_share_their_scale() -> None:
    _, panels = figures.panels(1, 2)
    charts.diagonal(panels[0, 0])
    panels[0, 1].plot([0, 0.1], [0, 0.1])
    assert panels[0, 0].get_xlim() == panels[0, 1].get_xlim()
    assert panels[0, 0].get_ylim() == panels[0, 1].get_ylim() == (-0.03, 1.03)


def test_files_are_the_same_each_time_and_need_no_font() -> None:
    def saved() -> tuple[str, bytes]:
        with figures.style():
            drawing, panels = figures.panels(1, 1)
            panels[0, 0].set_title("en")
            box = figures.arrange(drawing)
            return figures.as_svg(drawing, box), figures.as_pdf(drawing, box)

    assert saved() == saved()
    assert "<text" not in saved()[0]


def test_empty_margins_are_cut_off() -> None:
    with figures.style():
        drawing, panels = figures.panels(1, 1, width=6, height=2, square=True)
        charts.diagonal(panels[0, 0])
        box = figures.arrange(drawing)
        assert 2 < box.width < 3.2
        assert f'width="{box.width * 72:.4f}'[:10] in figures.as_svg(drawing, box)


def test_on_the_page_a_figure_has_its_own_ids_and_the_theme_s_colours() -> None:
    with figures.style():
        drawing, panels = figures.panels(1, 1)
        panels[0, 0].plot([0, 1], [0, 1], color=figures.PALETTE[0], clip_on=True)
        element = figures.for_page(figures.as_svg(drawing), "toy-bars", 'a "b"')
    assert element.startswith('<svg role="img" aria-label="a &quot;b&quot;" style="min-width:')
    assert 'id="toy-bars-figure_1"' in element
    assert "url(#toy-bars-" in element
    assert "url(#p" not in element
    assert figures.SURFACE not in element.lower()
    assert figures.MUTED not in element.lower()
    assert "var(--surface)" in element
    assert figures.PALETTE[0] in element


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("alpha", "alpha"),
        ("Llama-3.1-8B-Instruct", "Llama-3.1-8B-\nInstruct"),
        ("a" * 40, "\n".join(["a" * 18, "a" * 18, "aaaa"])),
    ],
)
def test_long_labels_are_broken(label: str, expected: str) -> None:
    assert figures.wrap(label) == expected


@pytest.mark.parametrize(("colour", "expected"), [((0, 0, 0.5), "#ffffff"), ((1, 1, 0.8), "#111111")])
def test_text_is_read_on_its_background(colour: tuple[float, float, float], expected: str) -> None:
    assert figures.reads_on(colour) == expected
