"""Semantic proximity: how near the entity that a distortion puts in lies to the one that it takes out.

Entities get vectors by node2vec over the graph of the source's facts (the paper's appendix C: node2vec with gensim's
word2vec), and proximity is the cosine. In the paper's Figure 1b the property-based distortions (PSS, POS) lie nearer
than the random ones (SS, OS).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossfact.sword.distortions import Five
from crossfact.sword.walks import Graph, biased_walks, graph_of
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Triple

_BATCH = 50_000
"""Walks made at once; more would only take more memory."""


@dataclass(frozen=True)
class Embedding:
    """A vector for each entity that some fact joins to another.

    Attributes:
        places: the entity's row.
        vectors: of length 1; shape (entities, dimensions).
    """

    places: dict[str, int]
    vectors: NDArray[np.float32]

    def cosine(self, original: str, replacing: str) -> float | None:
        """The cosine of two entities by id; None where one is isolated and so has no place in the graph."""
        if original not in self.places or replacing not in self.places:
            return None
        return float(self.vectors[self.places[original]] @ self.vectors[self.places[replacing]])


def node2vec(
    triples: Iterable[Triple],
    *,
    dimensions: int = 64,
    walk_length: int = 40,
    walks: int = 10,
    window: int = 5,
    p: float = 1.0,
    q: float = 1.0,
    seed: int = 0,
) -> Embedding:
    """Embed the entities of a source; the same vectors for the same triples and seed.

    Args:
        triples: the whole source, whatever their order.
        dimensions: length of a vector.
        walk_length: entities in a walk.
        walks: walks from each entity.
        window: how far apart in a walk two entities still count as neighbours.
        p: the greater, the less a walk turns back at once (node2vec's return parameter).
        q: the greater, the more a walk stays near where it came from (node2vec's in-out parameter).
        seed: what everything is drawn from.

    Raises:
        UserError: gensim is not installed, or no fact joins two entities.
    """
    try:
        from gensim.models import Word2Vec
    except ImportError as error:
        raise UserError("semantic proximity needs gensim: pip install 'crossfact[similarity]'") from error
    graph = graph_of(triples)
    if not graph.nodes:
        raise UserError("no fact joins two entities, so there is no semantic proximity: use a source with more facts")
    corpus = _Corpus(graph, walk_length, walks, p, q, seed)
    # Skip-gram with negative sampling and one reading of the walks, as in node2vec's own code. Only one worker gives
    # the same vectors twice; Python's own hash of a text would change with each process.
    model = Word2Vec(vector_size=dimensions, window=window, min_count=1, sg=1, workers=1, seed=seed, hashfxn=_hash)
    model.build_vocab(corpus)
    model.train(corpus, total_examples=model.corpus_count, epochs=1)
    vectors = model.wv[graph.nodes]
    places = {node: place for place, node in enumerate(graph.nodes)}
    return Embedding(places, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def proximities(five: Five, embedding: Embedding) -> dict[str, float | None]:
    """The cosine of the original and the replacing entity, for each distortion of a triple."""
    org = five.org
    return {
        "ss": embedding.cosine(org.subject, five.ss.subject),
        "os": embedding.cosine(org.object, five.os.object),
        "pss": embedding.cosine(org.subject, five.pss.subject),
        "pos": embedding.cosine(org.object, five.pos.object),
    }


@dataclass(frozen=True)
class _Corpus:
    """The walks as lists of ids; each reading makes them anew, so that they need not fit in the memory."""

    graph: Graph
    length: int
    rounds: int
    p: float
    q: float
    seed: int

    def __iter__(self) -> Iterator[list[str]]:
        rng = np.random.default_rng(self.seed)
        names = np.array(self.graph.nodes, dtype=object)
        for _ in range(self.rounds):
            order = rng.permutation(len(names))
            for first in range(0, len(order), _BATCH):
                starts = order[first : first + _BATCH]
                for walk in biased_walks(self.graph, starts, self.length, self.p, self.q, rng):
                    yield names[walk].tolist()


def _hash(text: str) -> int:
    return zlib.crc32(text.encode())
