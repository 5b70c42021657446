"""Token tries: layout, order, limits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crossfact.utils.trie import Limits, Pack, Pair, common_prefix, leaf_paths, preorder, take_pack

WIDE = Limits(1000, 1000, 1000)
tokens = st.lists(st.integers(0, 2), min_size=1, max_size=5).map(tuple)
pair_lists = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=12)


def packs(pairs: list[Pair], limits: Limits) -> list[Pack]:
    order, at, found = preorder(pairs), 0, []
    while at < len(order):
        found.append(take_pack(pairs, order, at, limits))
        at += len(found[-1].pairs)
    return found


def path_to(pack: Pack, node: int) -> tuple[int, ...]:
    return tuple(pack.tokens[at] for at in range(node + 1) if at <= node < pack.ends[at])


def test_layout_of_a_small_trie() -> None:
    pairs: list[Pair] = [((1, 2), (3, 4)), ((1, 2), (3, 5)), ((1, 2), (6,)), ((1, 7), (8, 9))]
    pack = take_pack(pairs, preorder(pairs), 0, WIDE)
    # 1 ─ 2 ─ 3   and   1 ─ 7 ─ 8: the last token of a continuation is never fed
    assert pack.tokens == [1, 2, 3, 7, 8]
    assert pack.depths == [0, 1, 2, 1, 2]
    assert pack.ends == [5, 3, 3, 5, 5]
    assert dict(zip(pack.pairs, pack.edges, strict=True)) == {
        0: [(1, 3), (2, 4)],
        1: [(1, 3), (2, 5)],
        2: [(1, 6)],
        3: [(3, 8), (4, 9)],
    }


def test_common_prefix() -> None:
    assert common_prefix((1, 2, 3), (1, 2, 4, 5)) == 2
    assert common_prefix((), (1,)) == 0
    assert common_prefix((1, 2), (1, 2)) == 2


@given(pair_lists, st.integers(1, 20), st.integers(1, 8))
def test_every_pair_is_scored_once_on_its_own_path(pairs: list[Pair], size: int, rows: int) -> None:
    seen = []
    for pack in packs(pairs, Limits(size, 2 * size, rows)):
        seen += pack.pairs
        for index, edges in zip(pack.pairs, pack.edges, strict=True):
            context, continuation = pairs[index]
            assert [token for _, token in edges] == list(continuation)
            for step, (node, _) in enumerate(edges):
                assert path_to(pack, node) == context + continuation[:step]
                assert pack.depths[node] == len(context) + step - 1
    assert sorted(seen) == list(range(len(pairs)))


@given(pair_lists, st.integers(1, 12), st.integers(1, 6))
def test_a_pack_of_several_pairs_keeps_its_limits(pairs: list[Pair], size: int, rows: int) -> None:
    for pack in packs(pairs, Limits(size, size + 3, rows)):
        if len(pack.pairs) > 1:
            assert len(pack.tokens) <= size + 3
            assert len({node for edges in pack.edges for node, _ in edges}) <= rows


@given(pair_lists)
def test_one_wide_pack_feeds_no_prefix_twice(pairs: list[Pair]) -> None:
    same_context: list[Pair] = [((7, 8), continuation) for _, continuation in pairs]
    (pack,) = packs(same_context, WIDE)
    paths = [path_to(pack, node) for node in range(len(pack.tokens))]
    assert len(set(paths)) == len(paths)


def test_a_long_shared_context_stretches_the_pack_instead_of_being_fed_again() -> None:
    context = tuple(range(50))
    pairs: list[Pair] = [(context, (60 + n, 99)) for n in range(10)]
    assert len(packs(pairs, Limits(20, 1000, 1000))) == 1
    assert len(packs(pairs, Limits(20, 55, 1000))) == 2  # never past the ceiling: 50 + 5 tokens each


def test_a_trie_larger_than_a_pack_is_split() -> None:
    pairs: list[Pair] = [((1, 2), (10 + n, 5)) for n in range(100)]
    split = packs(pairs, Limits(12, 12, 1000))
    assert [len(pack.pairs) for pack in split] == [10] * 10
    assert {pack.tokens[0] for pack in split} == {1}


def test_halved_limits_fall_below_the_pass_that_failed() -> None:
    assert Limits(256, 1000, 64).halved(tokens=600, rows=40) == Limits(128, 300, 20)
    assert Limits(1, 1, 1).halved(tokens=1, rows=1) == Limits(1, 1, 1)


def test_leaf_paths_keep_only_paths_that_are_no_prefix() -> None:
    pairs: list[Pair] = [((1,), (2,)), ((1,), (2, 3)), ((1,), (2, 3, 4)), ((1,), (5, 6)), ((9,), (1,))]
    assert leaf_paths(pairs, preorder(pairs)) == [((1, 2, 3), [0, 1, 2]), ((1, 5), [3]), ((9,), [4])]


@given(pair_lists)
def test_leaf_paths_contain_the_path_of_each_of_their_pairs(pairs: list[Pair]) -> None:
    leaves = leaf_paths(pairs, preorder(pairs))
    assert sorted(index for _, members in leaves for index in members) == list(range(len(pairs)))
    for path, members in leaves:
        for index in members:
            fed = pairs[index][0] + pairs[index][1][:-1]
            assert path[: len(fed)] == fed
