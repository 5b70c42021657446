"""Prompts and candidates as one token trie, laid out in preorder: every shared prefix is fed to the model once.

A *pair* is a context and a continuation, both token ids. The model is fed ``context + continuation[:-1]`` (its *path*);
the last token of a continuation is only ever predicted. Paths are walked in sorted order, so that a path shares its
longest known prefix with the one before it. In preorder the descendants of node ``i`` are exactly the nodes
``i + 1 … ends[i] - 1``, so "``j`` is an ancestor of ``i``" is ``j <= i < ends[j]``: no parent pointers are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Pair = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Limits:
    """How large one pack may become. One pair alone is always packed, however long it is.

    Attributes:
        tokens: the usual size in tokens; exceeded only to avoid feeding a long shared context again.
        ceiling: the size in tokens that is never exceeded (bounds the attention mask).
        rows: how many rows of logits are asked for at most (bounds the output of the head).
    """

    tokens: int
    ceiling: int
    rows: int

    def halved(self, tokens: int, rows: int) -> Limits:
        """Returns the limits to go on with after a pass of so many tokens and rows did not fit in memory."""
        return Limits(
            max(1, min(self.tokens, tokens) // 2),
            max(1, min(self.ceiling, tokens) // 2),
            max(1, min(self.rows, rows) // 2),
        )


@dataclass(frozen=True)
class Pack:
    """Tries in preorder, ready for one forward pass.

    Attributes:
        pairs: the index of each pair in this pack.
        tokens: the token of each node.
        depths: the distance of each node from its root, which is its position in its path.
        ends: one past the last descendant of each node.
        edges: for each pair, one ``(node, token)`` per token of the continuation: the node that predicts it.
    """

    pairs: list[int]
    tokens: list[int]
    depths: list[int]
    ends: list[int]
    edges: list[list[tuple[int, int]]]


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Returns how many leading tokens two sequences share."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def preorder(pairs: Sequence[Pair]) -> list[int]:
    """Returns the indices of the pairs, neighbours sharing as much of their paths as possible."""
    # Contexts are few and long, continuations many and short: contexts are compared once, not at every step.
    rank = {context: position for position, context in enumerate(sorted({context for context, _ in pairs}))}
    return sorted(range(len(pairs)), key=lambda index: (rank[pairs[index][0]], pairs[index][1]))


def take_pack(pairs: Sequence[Pair], order: Sequence[int], start: int, limits: Limits) -> Pack:
    """Packs the pairs ``order[start:]`` until the next one would break a limit.

    A shared context that is longer than half a pack stretches the pack to twice that context (never past the
    ceiling): to feed it again would cost more.

    Args:
        pairs: all pairs.
        order: their indices, from :func:`preorder`.
        start: where in ``order`` to begin; must be less than its length.
        limits: the size of a pack.

    Returns:
        A pack of at least one pair; the next one starts at ``start + len(pack.pairs)``.
    """
    pack = Pack([], [], [], [], [])
    stack: list[int] = []  # the nodes of the last path
    path: tuple[int, ...] = ()
    asked: set[int] = set()  # the nodes whose logits are needed
    for at in range(start, len(order)):
        context, continuation = pairs[order[at]]
        fed = context + continuation[:-1]
        shared = common_prefix(path, fed)
        size = len(pack.tokens) + len(fed) - shared
        stretched = min(max(limits.tokens, 2 * shared), limits.ceiling)
        if pack.pairs and (size > stretched or len(asked) + len(continuation) > limits.rows):
            break
        for node in stack[shared:]:
            pack.ends[node] = len(pack.tokens)
        del stack[shared:]
        for token in fed[shared:]:
            pack.depths.append(len(stack))
            stack.append(len(pack.tokens))
            pack.tokens.append(token)
            pack.ends.append(-1)
        nodes = stack[len(context) - 1 :]
        asked.update(nodes)
        pack.edges.append(list(zip(nodes, continuation, strict=True)))
        pack.pairs.append(order[at])
        path = fed
    for node in stack:
        pack.ends[node] = len(pack.tokens)
    return pack


def leaf_paths(pairs: Sequence[Pair], order: Sequence[int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Returns the paths that are no prefix of their neighbour, each with the pairs that it can score.

    This is the de-duplication that any causal model allows, whatever its layers: a path contains its prefixes.

    Args:
        pairs: all pairs.
        order: the indices to look at, from :func:`preorder`.
    """
    leaves: list[tuple[tuple[int, ...], list[int]]] = []
    for index in order:
        context, continuation = pairs[index]
        fed = context + continuation[:-1]
        path, members = leaves[-1] if leaves else ((), [])
        if path and common_prefix(path, fed) == min(len(path), len(fed)):
            members.append(index)
            leaves[-1] = (max(path, fed, key=len), members)
        else:
            leaves.append((fed, [index]))
    return leaves
