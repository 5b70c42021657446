from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from crossfact.sword.distortions import Five, distort
from crossfact.sword.dump_build import build_from_dump
from crossfact.sword.similarity import Embedding, node2vec, proximities
from crossfact.utils.errors import UserError
from crossfact.utils.facts import Triple, read_facts
from crossfact.utils.languages import SWORD_LANGUAGES
from tests.shared import shared_path

TWO_GROUPS = [
    *(Triple(one, "P1", other) for one, other in itertools.combinations("abcdefgh", 2)),
    *(Triple(one, "P1", other) for one, other in itertools.combinations("ABCDEFGH", 2)),
    Triple("a", "P2", "A"),
    Triple("alone", "P1", "alone"),
]


def test_cosine_by_hand() -> None:
    half = float(np.sqrt(0.5))
    vectors = np.array([[1, 0], [0, 1], [half, half], [-1, 0]], dtype=np.float32)
    embedding = Embedding({"x": 0, "y": 1, "z": 2, "w": 3}, vectors)
    assert embedding.cosine("x", "x") == 1
    assert embedding.cosine("x", "y") == 0
    assert embedding.cosine("x", "z") == pytest.approx(half)
    assert embedding.cosine("x", "w") == -1
    assert embedding.cosine("x", "elsewhere") is None
    assert embedding.cosine("elsewhere", "x") is None


def test_proximity_is_of_the_entity_that_changed() -> None:
    vectors = np.eye(5, dtype=np.float32)
    vectors[2] = [0.6, 0, 0.8, 0, 0]
    vectors[3] = [0, 0.8, 0, 0.6, 0]
    embedding = Embedding({"s": 0, "o": 1, "near s": 2, "near o": 3, "far": 4}, vectors)
    five = Five(
        org=Triple("s", "P1", "o"),
        ss=Triple("far", "P1", "o"),
        os=Triple("s", "P1", "isolated"),
        pss=Triple("near s", "P1", "o"),
        pos=Triple("s", "P1", "near o"),
    )
    assert proximities(five, embedding) == pytest.approx({"ss": 0.0, "os": None, "pss": 0.6, "pos": 0.8})


def test_entities_of_a_group_lie_nearer_than_those_of_two() -> None:
    embedding = node2vec(TWO_GROUPS, dimensions=16, walks=60)
    within = [embedding.cosine(one, other) or 0 for one, other in itertools.combinations("bcdefgh", 2)]
    across = [embedding.cosine(one, other) or 0 for one, other in itertools.product("bcdefgh", "BCDEFGH")]
    assert min(within) > max(across)
    assert embedding.cosine("b", "b") == pytest.approx(1, abs=1e-6)


def test_isolated_entities_have_none() -> None:
    embedding = node2vec(TWO_GROUPS, dimensions=8, walks=1)
    assert embedding.cosine("a", "alone") is None
    assert embedding.cosine("never seen", "a") is None


def test_the_order_of_the_triples_does_not_matter_and_the_seed_does() -> None:
    one, turned, other = (
        node2vec(triples, dimensions=8, walks=2, seed=seed)
        for triples, seed in ((TWO_GROUPS, 1), (TWO_GROUPS[::-1], 1), (TWO_GROUPS, 2))
    )
    assert one.places == turned.places
    assert (one.vectors == turned.vectors).all()
    assert (one.vectors != other.vectors).any()


PRINT = """
import hashlib
from crossfact.sword.similarity import node2vec
from crossfact.utils.facts import Triple
triples = {Triple(f"Q{number}", "P1", f"Q{number * 7 % 50}") for number in range(50)}
print(hashlib.sha256(node2vec(triples, dimensions=8, walks=3).vectors.tobytes()).hexdigest())
"""


def test_every_process_gives_the_same_vectors() -> None:
    marks = {
        subprocess.run(
            [sys.executable, "-c", PRINT], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1")
    }
    assert len(marks) == 1


def test_a_source_without_joined_entities_is_said() -> None:
    with pytest.raises(UserError, match="no fact joins two entities"):
        node2vec([Triple("a", "P1", "a")])


def test_missing_gensim_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(UserError, match="crossfact\\[similarity\\]"):
        node2vec(TWO_GROUPS)


@pytest.mark.slow
def test_property_based_distortions_lie_nearer_than_random_ones(tmp_path: Path) -> None:
    """The paper's Figure 1b, on a graph of 10,096 entities and 11,962 edges."""
    dump = shared_path("data", "wikidata", "dump-10k-items.json.gz")
    build_from_dump(dump, tmp_path / "facts", languages=SWORD_LANGUAGES, progress=False)
    facts = read_facts(tmp_path / "facts")
    begun = time.process_time()
    embedding = node2vec(facts.triples)
    assert time.process_time() - begun < 60  # seconds of one processor
    fives = distort(facts, count=500, seed=0).fives
    means = {}
    for kind in ("ss", "os", "pss", "pos"):
        cosines = [proximities(five, embedding)[kind] for five in fives]
        known = [cosine for cosine in cosines if cosine is not None]
        assert len(known) == len(cosines) == 500
        means[kind] = float(np.mean(known))
    assert means["pss"] > means["ss"] + 0.03
    assert means["pos"] > means["os"] + 0.03
