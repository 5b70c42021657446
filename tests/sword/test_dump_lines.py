from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crossfact.sword import dump_lines
from crossfact.sword.dump_lines import BrokenDump, Chunk, Position, fingerprint, read_chunks

TEXT = b"".join(b"line %d \xe5\x90\x8d\n" % number for number in range(3000))


def streams(compress: Callable[[bytes], bytes], sizes: int = 7001) -> bytes:
    """The text as several streams one after the other, cut in the middle of lines."""
    return b"".join(compress(TEXT[start : start + sizes]) for start in range(0, len(TEXT), sizes))


FORMS = {
    "plain": TEXT,
    "gzip": gzip.compress(TEXT),
    "gzip of many streams": streams(gzip.compress),
    "gzip padded with zeros": streams(gzip.compress) + bytes(4096),
    "bzip2": bz2.compress(TEXT),
    "bzip2 of many streams": streams(bz2.compress),
}


@pytest.fixture(params=FORMS)
def dump(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(dump_lines, "READ_BYTES", 500)  # so that streams, blocks and chunks end in different places
    path = tmp_path / "dump"  # no ending: the bytes say what it is
    path.write_bytes(FORMS[request.param])
    return path


def test_chunks_are_whole_lines_and_make_up_the_text(dump: Path) -> None:
    chunks = list(read_chunks(dump, Position(), 1000))
    assert b"".join(chunk.data for chunk in chunks) == TEXT
    assert all(chunk.data.endswith(b"\n") for chunk in chunks)
    assert all(len(chunk.data) >= 1000 for chunk in chunks[:-1])
    assert [chunk.file_bytes for chunk in chunks] == sorted(chunk.file_bytes for chunk in chunks)
    assert chunks[-1].end.text == len(TEXT)


def test_reading_goes_on_from_the_end_of_any_chunk(dump: Path) -> None:
    chunks = list(read_chunks(dump, Position(), 1000))
    for chunk in chunks:
        rest = b"".join(later.data for later in read_chunks(dump, chunk.end, 3000))
        assert rest == TEXT[chunk.end.text :]


def test_going_on_skips_earlier_streams(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(FORMS["bzip2 of many streams"])
    last = list(read_chunks(path, Position(), 1000))[-1].end
    assert last.text - last.stream_text <= 7001
    assert last.stream_file > path.stat().st_size // 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    lines=st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=40),
    stream=st.integers(1, 50),
    chunk=st.integers(1, 60),
    compress=st.sampled_from([gzip.compress, bz2.compress]),
)
def test_any_cut_into_streams_reads_the_same(
    tmp_path: Path, lines: list[bytes], stream: int, chunk: int, compress: Callable[[bytes], bytes]
) -> None:
    text = b"\n".join(lines)
    path = tmp_path / "dump"
    path.write_bytes(
        b"".join(compress(text[start : start + stream]) for start in range(0, len(text), stream)) or compress(b"")
    )
    chunks = list(read_chunks(path, Position(), chunk))
    assert b"".join(one.data for one in chunks) == text
    for one in chunks:
        assert b"".join(later.data for later in read_chunks(path, one.end, chunk)) == text[one.end.text :]


def test_last_line_may_lack_its_end(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(b"a\nb")
    assert [chunk.data for chunk in read_chunks(path, Position(), 1)] == [b"a\n", b"b"]


def _until_broken(path: Path) -> tuple[bytes, str]:
    chunks: list[Chunk] = []
    with pytest.raises(BrokenDump) as error:
        chunks.extend(read_chunks(path, Position(), 1000))
    text = b""
    try:
        for chunk in read_chunks(path, Position(), 1000):
            text += chunk.data
    except BrokenDump:
        pass
    return text, str(error.value)


@pytest.mark.parametrize("form", ["gzip", "gzip of many streams", "bzip2 of many streams"])
def test_cut_off_stream_is_an_error_after_its_whole_lines(form: str, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(FORMS[form][:-10])
    text, what = _until_broken(path)
    assert TEXT.startswith(text)
    assert text.endswith(b"\n")
    assert len(text) > len(TEXT) // 2
    assert what == "the compressed stream is cut off"


def test_damaged_stream_is_an_error(tmp_path: Path) -> None:
    damaged = bytearray(FORMS["gzip of many streams"])
    damaged[len(damaged) // 2] ^= 0xFF
    path = tmp_path / "dump"
    path.write_bytes(damaged)
    text, what = _until_broken(path)
    assert TEXT.startswith(text)
    assert "damaged" in what or "not compressed" in what


def test_bytes_after_a_stream_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(FORMS["bzip2"] + b"and more")
    text, what = _until_broken(path)
    assert text == TEXT
    assert "not compressed" in what


def test_file_without_line_ends_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_lines, "LINE_BYTES", 2_000_000)
    path = tmp_path / "dump"
    path.write_bytes(b"x" * 4_000_000)
    with pytest.raises(BrokenDump, match="longer than 2000000 bytes"):
        list(read_chunks(path, Position(), 1000))


def test_fingerprint_sees_the_size_and_both_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_lines, "SAMPLE_BYTES", 4)
    marks = set()
    for number, data in enumerate((b"abcdefghijkl", b"abcdefghijkL", b"Abcdefghijkl", b"abcdeefghijkl")):
        path = tmp_path / str(number)
        path.write_bytes(data)
        marks.add(fingerprint(path))
    assert len(marks) == 4
