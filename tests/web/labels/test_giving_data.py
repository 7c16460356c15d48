"""Organisers give files: their texts are found by id, and what cannot be read is refused in a sentence."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks
from tests.web.cast import Cast

from toprung.web.core.access.texts import public_queries
from toprung.web.core.models.data import DataFile, FileKind, TextAccess, TextBlock
from toprung.web.core.store import texts
from toprung.web.core.store.audit import find_break
from toprung.web.services.data import give
from toprung.web.services.data.give import DataRefusedError, FileSaid, give_file, give_link, remove_file
from toprung.web.services.data.opening import note_assessor, note_organiser

QUERIES = FileSaid(kind="queries", name="queries.tsv")
PASSAGES = FileSaid(kind="passages", name="passages.jsonl", is_hidden=True)


def given(cast: Cast, tmp_path: Path, content: bytes | str, said: FileSaid = QUERIES) -> DataFile:
    path = tmp_path / "sent"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return give_file(cast.board, said, path, by=cast.organiser)


def test_texts_are_found_by_id_in_many_blocks(cast: Cast, tmp_path: Path) -> None:
    lines = [json.dumps({"doc_id": f"d{n}", "text": f"passage {n} ü"}) for n in range(1000)]
    file = given(cast, tmp_path, gzip.compress("\n".join(lines).encode()), PASSAGES)
    assert (file.n_texts, file.n_blocks) == (1000, 16)  # 1000 / 64, rounded up
    assert TextBlock.objects.count() == 16
    assert texts.passages(cast.board, ["d7", "d999", "d1000"]) == {"d7": "passage 7 ü", "d999": "passage 999 ü"}
    assert texts.passages(cast.other_board, ["d7"]) == {}
    assert texts.queries(cast.board, ["d7"]) == {}
    assert texts.has_texts(cast.board, FileKind.PASSAGES)
    assert not texts.has_texts(cast.board, FileKind.QUERIES)


def test_a_file_is_known_by_its_digest_and_can_be_replaced_and_removed(
    cast: Cast, tmp_path: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first = given(cast, tmp_path, "q01\told words\n")
    stored = first.file.name or ""
    with django_capture_on_commit_callbacks(execute=True):
        second = given(cast, tmp_path, "q01\t<script>alert(1)</script>\nq02\t\n")
    assert second.digest == "sha256:" + hashlib.sha256(b"q01\t<script>alert(1)</script>\nq02\t\n").hexdigest()
    assert texts.query(cast.board, "q01") == "<script>alert(1)</script>"  # as it is: pages escape it
    assert texts.query(cast.board, "q02") is None
    assert second.remarks == ["1 id without a text left out."]
    assert not second.file.storage.exists(stored)
    with second.file.open("rb") as stored_again:
        assert stored_again.read() == b"q01\t<script>alert(1)</script>\nq02\t\n"
    remove_file(second, by=cast.organiser)
    assert texts.query(cast.board, "q01") is None
    assert not TextBlock.objects.exists()
    said = [entry.what for entry in cast.board.audit.order_by("number")]
    verbs = ["Gave", "Replaced", "Removed"]
    assert said == [f"{verb} the data file queries.tsv" for verb in verbs]
    assert find_break(cast.board) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "found an empty file"),
        (b"\n \n", "queries.tsv: found an empty file"),
        (b"q01\ta\xff\n", "queries.tsv, line 1: found byte 0xff"),
        (b"q01\ta\0b\n", "line 1: found a zero character; expected text"),
        (b"q01\tone\nq01\ttwo\n", "line 2: found 'q01' again with another text; expected one text for each id"),
        (b"q01 no tab\n", "line 1: found 'q01 no tab'; expected an id, a tab and a text"),
        (b"q01\t\n", "found 1 id without a text"),
        (b"q01\t" + b"x" * 100_001, "line 1: found a text of 100,001 characters; expected at most 100,000"),
        (b"q01\t" + b"x" * (1 << 20), "found a line of more than 1,048,576 bytes"),
        (b"zz1\tone\nzz2\ttwo\n", "found 2 queries (zz1 and zz2), none of them in the board's labels"),
        (b"PK\x03\x04\xff\xff", "found a zip archive"),
        (b"i" * 201 + b"\ttext\n", "expected one of at most 200 letters"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(cast: Cast, tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(DataRefusedError) as refused:
        given(cast, tmp_path, content)
    assert says in str(refused.value)
    assert str(tmp_path) not in str(refused.value)
    assert not DataFile.objects.exists()
    assert not cast.board.audit.exists()


def test_names_kinds_and_links_are_checked(cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../x", "a/b", "x\n", "", ".hidden", "<script>"):
        with pytest.raises(DataRefusedError, match="Name: found"):
            given(cast, tmp_path, "q01\ta\n", FileSaid(kind="queries", name=name))
    with pytest.raises(DataRefusedError, match="Kind: found 'music'"):
        given(cast, tmp_path, "q01\ta\n", FileSaid(kind="music", name="ok.tsv"))
    corpus = FileSaid(kind="corpus", name="documents.jsonl.zst")
    for link in ("http://a.example", "javascript:alert(1)", "https://u:p@a.example/x", "https://", "file:///etc"):
        with pytest.raises(DataRefusedError, match="Link: found"):
            give_link(cast.board, corpus, link, "0" * 64, by=cast.organiser)
    unnamed = FileSaid(kind="corpus", name="x")
    with pytest.raises(DataRefusedError, match="Link: found 'ftp://x'"):  # and not the name that was made of it
        give_link(cast.board, unnamed, "ftp://x", "0" * 64, by=cast.organiser)
    for digest, what in (("abc", "something else"), (" ", "nothing")):
        with pytest.raises(DataRefusedError, match=f"SHA-256: found {what}; expected 64 digits"):
            give_link(cast.board, corpus, "https://a.example/x", digest, by=cast.organiser)
    link = give_link(cast.board, corpus, "https://a.example/x", "A" * 64, size=7, by=cast.organiser)
    assert (link.is_link, link.digest, link.size) == (True, "sha256:" + "a" * 64, 7)
    monkeypatch.setattr(give, "MOST_FILES", 1)
    with pytest.raises(DataRefusedError, match="expected fewer"):
        given(cast, tmp_path, "q01\ta\n")


def test_opening_texts_of_hidden_queries_is_on_record(cast: Cast) -> None:
    """Private labels are hidden; official and dev labels of this board are not; nobody knows x1."""
    assert public_queries(cast.board, ["q01", "d01", "p01", "x1"]) == {"q01", "d01"}
    assert note_organiser(cast.board, ["q01"], reason="To look at it.", by=cast.organiser) is None
    noted = note_organiser(cast.board, ["q01", "p01", "x1"], reason="To look at it.", by=cast.organiser)
    assert noted is not None
    assert noted.what == "Read texts of 2 queries (p01 and x1)"
    assert cast.board.audit.get().what == noted.what
    assert note_assessor(cast.board, ["q01"], campaign="pilot", by=None, assessor="a1") is None
    judged = note_assessor(cast.board, ["p02"], campaign="pilot", by=None, assessor="a1")
    assert judged is not None
    assert (judged.assessor, judged.user, judged.reason) == ("a1", None, "Judging: pilot")
    assert TextAccess.objects.count() == 2
