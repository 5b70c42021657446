"""A set of whole numbers that takes one bit for each number in its range: 140 million items fit in 18 MB."""

from __future__ import annotations

_PAGE_BITS = 16
_PAGE_MASK = (1 << _PAGE_BITS) - 1


class IdSet:
    """A set of numbers from 0 on; pages without a member take no memory."""

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, number: int) -> bool:
        """Add a number; returns whether it is new."""
        page = self._pages.get(number >> _PAGE_BITS)
        if page is None:
            page = self._pages[number >> _PAGE_BITS] = bytearray(1 << (_PAGE_BITS - 3))
        place, bit = (number & _PAGE_MASK) >> 3, 1 << (number & 7)
        if page[place] & bit:
            return False
        page[place] |= bit
        return True

    def __contains__(self, number: int) -> bool:
        page = self._pages.get(number >> _PAGE_BITS)
        return page is not None and bool(page[(number & _PAGE_MASK) >> 3] & 1 << (number & 7))
