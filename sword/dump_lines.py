"""Read a dump as a stream: plain, gzip or bzip2 bytes in, chunks of whole lines out.

A compressed dump may consist of several streams one after the other (pigz, pbzip2). A chunk carries the position
where it ends, and reading can begin again there: a plain file is sought, a compressed one is decompressed again from
the start of its current stream. Memory does not depend on the file's size, only on its longest line.
"""

from __future__ import annotations

import bz2
import hashlib
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

READ_BYTES = 1 << 16
"""Compressed bytes handed to the decompressor at once; text compresses some ten-fold, so the output stays small."""
LINE_BYTES = 1 << 26
"""No entity is that long (the longest have about 5 MB); a file without line ends must not fill the memory."""
SAMPLE_BYTES = 1 << 20

_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"


class BrokenDump(Exception):  # noqa: N818 - says what was found; the build turns it into a UserError
    """The file cannot be read on from here; the chunks before this are whole."""


@dataclass(frozen=True)
class Position:
    """A place between two lines.

    Attributes:
        text: decompressed bytes before it.
        stream_file: where in the file the stream that holds it begins (the place itself in a plain file).
        stream_text: decompressed bytes before that stream.
    """

    text: int = 0
    stream_file: int = 0
    stream_text: int = 0


@dataclass(frozen=True)
class Chunk:
    """Some whole lines (the file's last one may lack its line end).

    Attributes:
        data: the lines.
        end: where the next chunk begins.
        file_bytes: how much of the file had been read, for progress.
    """

    data: bytes
    end: Position
    file_bytes: int


@dataclass(frozen=True)
class _Block:
    """Decompressed bytes of one stream, and where this stream began."""

    data: bytes
    stream_file: int
    stream_text: int
    file_bytes: int


def read_chunks(path: Path, start: Position, chunk_bytes: int) -> Iterator[Chunk]:
    """Yield the dump's lines from a position on, in order, as chunks of at least `chunk_bytes` (the last is shorter).

    Raises:
        BrokenDump: a compressed stream is cut off or damaged, or a line never ends. All whole lines before it have
            been yielded.
    """
    buffer = bytearray()
    text, file_bytes, searched = start.text, start.stream_file, 0
    streams: deque[tuple[int, int]] = deque([(start.stream_file, start.stream_text)])
    plain = False

    def cut(end: int) -> Chunk:
        nonlocal text, searched
        data, text, searched = bytes(buffer[:end]), text + end, 0
        del buffer[:end]
        while len(streams) > 1 and streams[1][1] <= text:
            streams.popleft()
        position = Position(text, text, text) if plain else Position(text, *streams[0])
        return Chunk(data, position, file_bytes)

    with path.open("rb") as file:
        plain = _magic(file) is None
        blocks = _plain_blocks(file, start) if plain else _decompressed_blocks(file, start)
        skip = start.text - start.stream_text
        try:
            for block in blocks:
                file_bytes = block.file_bytes
                if streams[-1] != (block.stream_file, block.stream_text):
                    streams.append((block.stream_file, block.stream_text))
                buffer += block.data[skip:]
                skip = max(0, skip - len(block.data))
                if len(buffer) >= chunk_bytes:
                    if end := buffer.rfind(b"\n", searched) + 1:
                        yield cut(end)
                    elif len(buffer) > LINE_BYTES:
                        raise BrokenDump(f"a line is longer than {LINE_BYTES} bytes")
                    searched = len(buffer)
        except BrokenDump:
            if end := buffer.rfind(b"\n") + 1:
                yield cut(end)
            raise
        if buffer:
            yield cut(len(buffer))


def fingerprint(path: Path) -> str:
    """The sha256 over the file's size, its first MiB and its last: tells two dumps apart without reading them."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        file.seek(max(0, size - SAMPLE_BYTES))
        tail = file.read(SAMPLE_BYTES)
    return hashlib.sha256(b"%d\n%b%b" % (size, head, tail)).hexdigest()


def _magic(file: BinaryIO) -> bytes | None:
    """How the file is compressed, by its first bytes: a name proves nothing."""
    head = file.read(3)
    file.seek(0)
    return next((magic for magic in (_GZIP, _BZIP2) if head.startswith(magic)), None)


def _plain_blocks(file: BinaryIO, start: Position) -> Iterator[_Block]:
    file.seek(start.text)
    done = start.text
    while data := file.read(READ_BYTES * 16):
        done += len(data)
        yield _Block(data, start.stream_file, start.stream_text, done)


def _decompressed_blocks(file: BinaryIO, start: Position) -> Iterator[_Block]:
    magic = _magic(file)
    file.seek(start.stream_file)
    stream_file, stream_text, text = start.stream_file, start.stream_text, start.stream_text
    done, data = start.stream_file, b""
    decompressor: Any = None
    while data or (data := file.read(READ_BYTES)):
        if decompressor is None:
            data = data.lstrip(b"\0") if magic == _GZIP else data  # tapes and block devices pad gzip with zeros
            if len(data) < 3 and (more := file.read(READ_BYTES)):
                data += more
                continue
            if not data:
                continue
            if not data.startswith(magic or b""):
                raise BrokenDump(f"what follows the compressed stream at byte {stream_file} is not compressed")
            stream_file, stream_text = file.tell() - len(data), text
            decompressor = zlib.decompressobj(wbits=31) if magic == _GZIP else bz2.BZ2Decompressor()
        try:
            plain = decompressor.decompress(data)
        except (zlib.error, OSError, EOFError) as error:
            raise BrokenDump(f"the compressed stream is damaged near byte {done} ({error})") from error
        data, done = decompressor.unused_data, file.tell()
        text += len(plain)
        if plain:
            yield _Block(plain, stream_file, stream_text, done - len(data))
        if decompressor.eof:
            decompressor = None
    if decompressor is not None:
        raise BrokenDump("the compressed stream is cut off")
