"""Files of a board are fetched whole: skipped where they are right, gone on with where the line broke, else refused."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from toprung.cli.hosted.data import data
from toprung.errors import InputError

CONTENT = b"q1\tfirst\nq2\tsecond\n" * 1000
DIGEST = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


@dataclass
class Shelf:
    """What the server has, and how it fails."""

    name: str = "queries.tsv"
    content: bytes = CONTENT
    terms: dict[str, Any] | None = None
    cut_at: int = 0
    """The next answer ends after so many bytes."""
    ranges: list[str] = field(default_factory=list)
    accepted: list[Any] = field(default_factory=list)

    def offered(self) -> dict[str, Any]:
        file = {"name": self.name, "digest": DIGEST, "size": len(CONTENT), "link": None, "kind": "queries", "note": ""}
        return {"files": [file], "terms": self.terms}


def handler_of(shelf: Shelf) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if "/data/files/" not in self.path:
                self.answer(json.dumps(shelf.offered()).encode())
                return
            asked = self.headers.get("Range", "")
            shelf.ranges.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
            body, cut_at, shelf.cut_at = shelf.content[start:], shelf.cut_at, 0
            self.answer(body, 206 if start else 200, cut_at=cut_at)

        def do_POST(self) -> None:
            shelf.accepted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            assert shelf.terms is not None
            shelf.terms["is_accepted"] = True
            self.answer(json.dumps(shelf.offered()).encode())

        def answer(self, body: bytes, status: int = 200, *, cut_at: int = 0) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:cut_at] if cut_at else body)

    return Handler


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def address(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(shelf))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TOPRUNG_SERVER", url)
    monkeypatch.setenv("TOPRUNG_TOKEN", "trt_" + "s" * 43)
    monkeypatch.setattr("time.sleep", lambda _: None)
    yield f"{url}/b/web-docs/"
    server.shutdown()
    server.server_close()
    thread.join()


def typed(address: str, folder: Path, *options: str) -> str:
    return CliRunner().invoke(data, [address, "--into", str(folder), *options], catch_exceptions=False).output


def test_a_file_is_fetched_once_and_only_if_it_is_right(address: str, shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert "1 file in" in typed(address, folder)
    assert (folder / "queries.tsv").read_bytes() == CONTENT
    assert "there already" in typed(address, folder)
    assert shelf.ranges == [""]
    (folder / "queries.tsv").write_text("mine")
    with pytest.raises(InputError, match="found a file with another digest"):
        typed(address, folder)
    assert (folder / "queries.tsv").read_text() == "mine"
    assert "fetched" in typed(address, folder, "--replace")
    assert (folder / "queries.tsv").read_bytes() == CONTENT


def test_what_broke_off_goes_on(address: str, shelf: Shelf, tmp_path: Path) -> None:
    shelf.cut_at = 5000
    typed(address, tmp_path)
    assert (tmp_path / "queries.tsv").read_bytes() == CONTENT
    assert shelf.ranges == ["", "bytes=5000-"]


def test_another_content_is_refused_and_not_kept(address: str, shelf: Shelf, tmp_path: Path) -> None:
    shelf.content = CONTENT.replace(b"first", b"wrong")
    with pytest.raises(InputError, match=f"expected {DIGEST}"):
        typed(address, tmp_path)
    assert list(tmp_path.glob("queries*")) == []


def test_terms_are_accepted_by_their_digest_where_one_says_so(address: str, shelf: Shelf, tmp_path: Path) -> None:
    shelf.terms = {"digest": "sha256:" + "1" * 64, "text": "Be kind.", "is_accepted": False}
    with pytest.raises(InputError, match="expected --accept-terms"):
        typed(address, tmp_path)
    assert shelf.ranges == []
    typed(address, tmp_path, "--accept-terms")
    assert shelf.accepted == [{"digest": "sha256:" + "1" * 64}]
    assert (tmp_path / "queries.tsv").exists()


def test_nobody_accepts_terms_without_saying_who_they_are(
    address: str, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.terms = {"digest": "sha256:" + "1" * 64, "text": "Be kind.", "is_accepted": False}
    monkeypatch.delenv("TOPRUNG_TOKEN")
    with pytest.raises(
        InputError, match=r"expected one, for a person accepts terms\. .* toprung login http://127\.0\.0\.1"
    ):
        typed(address, tmp_path, "--accept-terms")
    assert (shelf.accepted, shelf.ranges) == ([], [])


@pytest.mark.parametrize("name", ["../escape", "/etc/x", "a/b", "..", "x\u202e.tsv"])
def test_a_server_cannot_name_a_file_elsewhere(address: str, shelf: Shelf, tmp_path: Path, name: str) -> None:
    shelf.name = name
    with pytest.raises(InputError, match="that cannot be"):
        typed(address, tmp_path / "here")
    assert shelf.ranges == []


def test_a_name_that_the_board_does_not_offer(address: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Found no file 'other\.tsv' on this board; expected one of queries\.tsv"):
        typed(address, tmp_path, "other.tsv")


def test_what_lies_elsewhere_and_cannot_be_had_leaves_the_rest_to_be_fetched(
    address: str, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link to a server that is gone, named before the board's own file."""
    here = shelf.offered()["files"]
    there = {**here[0], "name": "corpus.zst", "link": "https://127.0.0.1:9/corpus.zst"}
    monkeypatch.setattr(shelf, "offered", lambda: {"files": [there, *here], "terms": None})
    with pytest.raises(InputError, match=r"Found no whole corpus\.zst where the board says; expected all\."):
        typed(address, tmp_path)
    assert (tmp_path / "queries.tsv").read_bytes() == CONTENT
    with pytest.raises(InputError, match="Found no whole"):
        typed(address, tmp_path)
    assert shelf.ranges == [""], "what is there is not fetched again"
