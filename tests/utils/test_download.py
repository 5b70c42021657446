"""Downloads from a loopback server that can misbehave."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from crossfact.utils.download import fetch
from crossfact.utils.errors import UserError

CONTENTS = {"a/one.json": b"[1]", "a/two.json": b"[2]", "three.json": '["ş"]'.encode()}
HASHES = {path: hashlib.sha256(content).hexdigest() for path, content in CONTENTS.items()}


class Server:
    """Serves CONTENTS; `faults` says what goes wrong with a path, and how often."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.faults: dict[str, list[str]] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.lstrip("/")
                server.asked[path] += 1
                fault = server.faults[path].pop(0) if server.faults.get(path) else ""
                if fault == "drop":
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b"[")
                    self.connection.close()
                    return
                content = b"[9]" if fault == "wrong" else CONTENTS.get(path, b"")
                self.send_response(503 if fault == "busy" else 200 if path in CONTENTS else 404)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


def held(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_fetches_what_is_missing_once(server: Server, tmp_path: Path) -> None:
    fetch(server.url, HASHES, tmp_path)
    fetch(server.url, HASHES, tmp_path)
    assert held(tmp_path) == CONTENTS
    assert set(server.asked.values()) == {1}


def test_tries_again_after_a_dropped_connection_and_a_busy_server(server: Server, tmp_path: Path) -> None:
    server.faults = {"a/one.json": ["drop", "busy"]}
    fetch(server.url, HASHES, tmp_path, first_wait_s=0.01)
    assert held(tmp_path) == CONTENTS
    assert server.asked["a/one.json"] == 3


def test_gives_up_after_a_few_attempts_and_keeps_the_rest(server: Server, tmp_path: Path) -> None:
    server.faults = {"a/one.json": ["drop"] * 10}
    with pytest.raises(UserError, match=r"1 of 3 files \(2 are kept .*a/one.json.*run again"):
        fetch(server.url, HASHES, tmp_path, first_wait_s=0.01)
    assert server.asked["a/one.json"] == 4
    assert held(tmp_path) == {path: content for path, content in CONTENTS.items() if path != "a/one.json"}
    server.faults = {}
    fetch(server.url, HASHES, tmp_path)
    assert held(tmp_path) == CONTENTS
    assert server.asked["three.json"] == 1


def test_a_missing_file_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="status 404"):
        fetch(server.url, {"gone.json": "0" * 64}, tmp_path)
    assert server.asked["gone.json"] == 1


def test_wrong_bytes_are_refused_and_not_kept(server: Server, tmp_path: Path) -> None:
    server.faults = {"three.json": ["wrong"]}
    with pytest.raises(UserError, match=r"three\.json is not the file that was pinned"):
        fetch(server.url, HASHES, tmp_path)
    assert "three.json" not in held(tmp_path)


def test_a_file_that_was_altered_in_the_cache_is_fetched_again(server: Server, tmp_path: Path) -> None:
    fetch(server.url, HASHES, tmp_path)
    (tmp_path / "three.json").write_bytes(b"[0]")
    fetch(server.url, HASHES, tmp_path)
    assert held(tmp_path) == CONTENTS


def test_no_network_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="check the network and run again") as caught:
        fetch("http://127.0.0.1:9", HASHES, tmp_path, first_wait_s=0.01)
    assert "\n" not in str(caught.value)
