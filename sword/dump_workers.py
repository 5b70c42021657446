"""Parse chunks of a dump in worker processes, in the order of the dump, with a bounded number in flight."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.process
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from crossfact.sword.dump_entities import Kept, Wanted, read_lines
from crossfact.sword.dump_lines import BrokenDump, Chunk
from crossfact.utils.errors import UserError

AHEAD = 2
"""Chunks in flight for each worker: one being parsed, one waiting."""

_wanted: Wanted


def parse_in_order(chunks: Iterator[Chunk], wanted: Wanted, workers: int) -> Iterator[tuple[Chunk, Kept]]:
    """Yield each chunk with what is kept of it.

    Args:
        chunks: as `dump_lines.read_chunks` gives them.
        wanted: what to keep.
        workers: the number of worker processes; with one, this process does the work.

    Raises:
        BrokenDump: the chunks ended so; all chunks before it have been yielded.
        UserError: a worker was killed from outside.
    """
    if workers == 1:
        for chunk in chunks:
            yield chunk, read_lines(chunk.data, wanted)
        return
    # Fresh processes rather than forked ones: a fork would copy the locks of the thread that draws the progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _start, (wanted,))
    try:
        yield from _in_order(chunks, lambda chunk: pool.submit(_parse, chunk.data).result, workers * AHEAD)
    except BrokenProcessPool as error:
        raise UserError("a worker process was killed (out of memory?): run again with fewer workers") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    chunks: Iterator[Chunk], start: Callable[[Chunk], Callable[[], Kept]], ahead: int
) -> Iterator[tuple[Chunk, Kept]]:
    pending: deque[tuple[Chunk, Callable[[], Kept]]] = deque()
    end: BrokenDump | None = None
    try:
        for chunk in chunks:
            pending.append((chunk, start(chunk)))
            if len(pending) > ahead:
                first, result = pending.popleft()
                yield first, result()
    except BrokenDump as error:
        end = error
    while pending:
        first, result = pending.popleft()
        yield first, result()
    if end:
        raise end


def _start(wanted: Wanted) -> None:
    """Prepare a worker process."""
    global _wanted
    _wanted = wanted
    gc.disable()  # parsed entities hold no cycles, and looking for some costs a tenth of the time
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the build
    parent = multiprocessing.parent_process()
    if parent:  # a pool's workers outlive a parent that was killed, waiting for work
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _parse(data: bytes) -> Kept:
    return read_lines(data, _wanted)
