from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfact.sword.walks import Graph, biased_walks, graph_of
from crossfact.utils.facts import Triple


def graph(*edges: str) -> Graph:
    """A graph from edges such as "ab"."""
    return graph_of(Triple(one, "P1", other) for one, other in edges)


def test_edges_go_both_ways_once_and_never_to_itself() -> None:
    found = graph_of(
        [
            Triple("b", "P1", "a"),
            Triple("a", "P2", "b"),
            Triple("a", "P1", "a"),
            Triple("c", "P1", "a"),
            Triple("d", "P1", "d"),
        ]
    )
    assert found.nodes == ("a", "b", "c")  # d is joined to nothing
    assert found.offsets.tolist() == [0, 2, 3, 4]
    assert found.neighbours.tolist() == [1, 2, 0, 0]
    assert found.edge_keys.tolist() == [0 * 3 + 1, 0 * 3 + 2, 1 * 3 + 0, 2 * 3 + 0]


def test_no_edge_gives_no_node() -> None:
    assert graph_of([]).nodes == ()
    assert graph_of([Triple("a", "P1", "a")]).nodes == ()


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1]), min_size=1))
def test_walks_follow_edges(pairs: set[tuple[int, int]]) -> None:
    found = graph_of(Triple(str(one), "P1", str(other)) for one, other in pairs)
    starts = np.arange(len(found.nodes))
    walks = biased_walks(found, starts, 6, 0.5, 2.0, np.random.default_rng(0))
    assert walks.shape == (len(starts), 6)
    assert walks[:, 0].tolist() == starts.tolist()
    edges = {(str(one), str(other)) for one, other in pairs} | {(str(other), str(one)) for one, other in pairs}
    for walk in walks:
        names = [found.nodes[node] for node in walk]
        assert all(step in edges for step in itertools.pairwise(names))


@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (0.25, 4.0), (4.0, 0.25), (2.0, 1.0)])
def test_second_step_has_the_weights_of_node2vec(p: float, q: float) -> None:
    # From b, having come from a: back to a weighs 1/p, on to c (a's neighbour too) 1, on to d or e 1/q each.
    found = graph("ab", "ac", "bc", "bd", "be")
    walks = biased_walks(found, np.zeros(60_000, dtype=np.int64), 3, p, q, np.random.default_rng(1))
    second = Counter(found.nodes[walk[2]] for walk in walks if found.nodes[walk[1]] == "b")
    weights = {"a": 1 / p, "c": 1.0, "d": 1 / q, "e": 1 / q}
    for node, weight in weights.items():
        expected = weight / sum(weights.values())
        assert second[node] / second.total() == pytest.approx(expected, abs=0.012)


def test_first_step_is_even() -> None:
    walks = biased_walks(
        graph("ab", "ac", "ad"), np.zeros(30_000, dtype=np.int64), 2, 9.0, 9.0, np.random.default_rng(2)
    )
    assert np.bincount(walks[:, 1])[1:] / 30_000 == pytest.approx([1 / 3] * 3, abs=0.012)


def test_the_seed_decides() -> None:
    found = graph("ab", "ac", "bc", "bd", "cd")
    starts = np.arange(4)
    one, same, other = (biased_walks(found, starts, 30, 1.0, 0.5, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert (one == same).all()
    assert (one != other).any()
