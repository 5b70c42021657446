from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crossfact.sword.id_set import IdSet


@given(st.lists(st.integers(0, 1 << 40)), st.integers(0, 1 << 40))
def test_behaves_like_a_set(numbers: list[int], other: int) -> None:
    ids, reference = IdSet(), set()
    for number in numbers:
        assert ids.add(number) == (number not in reference)
        reference.add(number)
    assert all(number in ids for number in numbers)
    assert (other in ids) == (other in reference)
