"""Where the official files come from: a server, the cache, or a folder that holds a copy."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from crossfact.fiber.loading import load
from crossfact.fiber.official import URL_VARIABLE, manifest, official_files
from crossfact.fiber.topics import TOPICS
from crossfact.utils.errors import UserError
from crossfact.utils.languages import FIBER_LANGUAGES
from tests.shared import shared_path

ELEMENTS = TOPICS["chemical_symbols"]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A loopback server that serves a copy of a few official files, and an empty cache."""
    folder = tmp_path / "home"
    shutil.copytree(shared_path("data", "fiber_official", "single_entity"), folder / "single_entity")
    folder.chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(URL_VARIABLE, f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("CROSSFACT_CACHE", str(tmp_path / "cache"))
    yield folder
    server.shutdown()
    server.server_close()


def test_the_manifest_names_every_file_once() -> None:
    named = {path for topic in TOPICS.values() for lang in FIBER_LANGUAGES for path in official_files(topic, lang)}
    assert len(manifest()["files"]) == 160
    assert named == set(manifest()["files"])
    assert manifest()["commit"] in manifest()["url"]
    assert all(len(sha256) == 64 for sha256 in manifest()["files"].values())


def test_downloads_once_and_works_offline_afterwards(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load("chemical_symbols", "tr", source="official")
    monkeypatch.setenv(URL_VARIABLE, "http://127.0.0.1:9")
    again = load("chemical_symbols", "tr", source="official")
    assert again["test"] == first["test"]
    assert again.source == first.source
    assert first.source.name == "official"


def test_a_folder_with_the_same_files_is_the_same_source(home: Path) -> None:
    assert load("chemical_symbols", "en", source="official").source == load("chemical_symbols", "en", str(home)).source


def test_without_network_the_message_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, "http://127.0.0.1:9")
    monkeypatch.setenv("CROSSFACT_CACHE", str(tmp_path))
    monkeypatch.setattr("crossfact.utils.download._ATTEMPTS", 1)
    with pytest.raises(UserError, match=r"official data: .*check the network.*--metadata") as caught:
        load("chemical_symbols", "en", source="official")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (lambda file: file.unlink(), "chemical_symbols_en_1.json is missing"),
        (lambda file: file.write_text("[]"), "chemical_symbols_en_1.json is not the official file"),
        (lambda file: file.write_text(""), "chemical_symbols_en_1.json is not the official file"),
    ],
)
def test_a_copy_that_is_not_the_official_data_is_refused(home: Path, harm: object, message: str) -> None:
    harm(home / "single_entity/chemical_symbols/chemical_symbols_en_1.json")  # type: ignore[operator]
    with pytest.raises(UserError, match=message):
        load("chemical_symbols", "en", source=str(home))


def test_the_server_s_altered_file_is_refused(home: Path) -> None:
    (home / "single_entity/chemical_symbols/chemical_symbols_en_1.json").write_text("[]")
    with pytest.raises(UserError, match=r"could not download 1 of 2 files.*not the file that was pinned"):
        load("chemical_symbols", "en", source="official")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"topic": "rivers"}, "no topic 'rivers': use one of atomic_numbers"),
        ({"lang": "de"}, "no language 'de': use one of en, it, tr"),
        ({"source": "offical"}, "'offical' is neither 'embedded', 'official' nor a folder"),
        ({"protocol": "papre"}, "no protocol 'papre': use one of paper, reference"),
    ],
)
def test_unknown_names_are_told(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(**{"topic": "capital_cities", "lang": "it", **arguments})
