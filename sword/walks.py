"""Biased random walks over a graph of facts, as node2vec (Grover and Leskovec, 2016) takes them.

A walk that came from `previous` goes on to a neighbour with a weight of 1/p if that is `previous` itself, 1 if it is a
neighbour of `previous` too, and 1/q otherwise. The weights are not tabulated for each edge, as the original does, but
met by rejection: a neighbour drawn evenly is taken with its weight over the greatest one, or drawn again. This is the
same distribution, in memory that grows with the edges only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossfact.utils.facts import Triple

Nodes = NDArray[np.int64]


@dataclass(frozen=True)
class Graph:
    """An undirected graph without weights; an edge for each pair that some fact joins.

    Attributes:
        nodes: the entities with at least one edge, sorted.
        offsets: where each node's neighbours begin in `neighbours`; one more than nodes.
        neighbours: node numbers, ascending for each node.
    """

    nodes: tuple[str, ...]
    offsets: Nodes
    neighbours: Nodes

    @property
    def edge_keys(self) -> Nodes:
        """Both directions of every edge as `from * nodes + to`, ascending."""
        degrees = np.diff(self.offsets)
        return np.repeat(np.arange(len(self.nodes)), degrees) * len(self.nodes) + self.neighbours


def graph_of(triples: Iterable[Triple]) -> Graph:
    """Build the graph. A fact of an entity about itself joins nothing."""
    pairs = [(triple.subject, triple.object) for triple in triples if triple.subject != triple.object]
    nodes = tuple(sorted({end for pair in pairs for end in pair}))
    number = {node: place for place, node in enumerate(nodes)}
    ends = np.array([[number[one], number[other]] for one, other in pairs], dtype=np.int64).reshape(-1, 2)
    sources, targets = np.concatenate([ends, ends[:, ::-1]]).T
    keys = np.unique(sources * max(1, len(nodes)) + targets)
    sources, targets = np.divmod(keys, max(1, len(nodes)))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=len(nodes)))]).astype(np.int64)
    return Graph(nodes, offsets, targets)


def biased_walks(graph: Graph, starts: Nodes, length: int, p: float, q: float, rng: np.random.Generator) -> Nodes:
    """Walk from each start.

    Args:
        graph: the graph.
        starts: node numbers.
        length: nodes in each walk, the start included.
        p: the greater, the less a walk turns back at once.
        q: the greater, the more a walk stays near where it came from.
        rng: what everything is drawn from.

    Returns:
        Node numbers, one row for each start, `length` columns.
    """
    walks = np.empty((len(starts), length), dtype=np.int64)
    walks[:, 0] = starts
    edges = graph.edge_keys
    greatest = max(1 / p, 1.0, 1 / q)
    for step in range(1, length):
        waiting = np.arange(len(starts))
        while waiting.size:
            drawn = _neighbour(graph, walks[waiting, step - 1], rng)
            walks[waiting, step] = drawn
            if step == 1:
                break
            previous = walks[waiting, step - 2]
            weight = np.where(_joined(edges, previous * len(graph.nodes) + drawn), 1.0, 1 / q)
            weight[drawn == previous] = 1 / p
            waiting = waiting[rng.random(len(waiting)) * greatest >= weight]
    return walks


def _neighbour(graph: Graph, nodes: Nodes, rng: np.random.Generator) -> Nodes:
    """An even draw from each node's neighbours."""
    first, end = graph.offsets[nodes], graph.offsets[nodes + 1]
    return graph.neighbours[rng.integers(first, end)]


def _joined(edges: Nodes, keys: Nodes) -> NDArray[np.bool_]:
    place = np.minimum(np.searchsorted(edges, keys), len(edges) - 1)
    return edges[place] == keys
