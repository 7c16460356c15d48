"""A board offers files: with sizes and digests, once terms are accepted; hidden ones are opened with a reason."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.cast import Cast
from tests.web.reading import folded

from toprung.web.core.models.data import DataFile, TermsAcceptance, TextAccess
from toprung.web.services.data.give import FileSaid, give_file, give_link
from toprung.web.services.data.terms import TermsError, accept_terms, current_terms, set_terms

PAGE, ORGANISE = "/b/web-docs/data/", "/b/web-docs/organise/data/"
CONTENT = b"q01\twhat is <b>bold</b>\nq02\twho\n"
REASON = "A team asked about query p01."


@pytest.fixture
def offered(cast: Cast, tmp_path: Path) -> DataFile:
    path = tmp_path / "sent"
    path.write_bytes(CONTENT)
    return give_file(cast.board, FileSaid(kind="queries", name="queries.tsv"), path, by=cast.organiser)


@pytest.fixture
def hidden(cast: Cast, tmp_path: Path) -> DataFile:
    path = tmp_path / "hidden"
    path.write_bytes(b"p01\ta secret question\n")
    said = FileSaid(kind="queries", name="private.tsv", is_hidden=True)
    return give_file(cast.board, said, path, by=cast.organiser)


def body_of(response: object) -> bytes:
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]  # of a test client


def test_the_page_lists_files_with_sizes_digests_and_commands(client: Client, cast: Cast, offered: DataFile) -> None:
    page = client.get(PAGE).content.decode()
    digest = hashlib.sha256(CONTENT).hexdigest()
    assert f"sha256 {digest[:4]}…{digest[-4:]}" in page
    assert f"{len(CONTENT)} bytes" in page
    assert "id and text of queries, 2 lines" in page
    assert "/b/web-docs/ dev.run.gz --dry-run" in page
    assert "A file with the 3 dev queries alone is enough." in page
    assert "labels-dev-v1.txt" in page
    assert "where a label that is wrong can be reported" in folded(page)
    sums = client.get(f"{PAGE}SHA256SUMS").content.decode()
    assert f"{digest}  queries.tsv\n" in sums
    dev = cast.board.label_sets.get(use="dev")
    assert f"{dev.digest.removeprefix('sha256:')}  labels-dev-v1.txt\n" in sums


def test_a_board_without_files_shows_no_command_that_would_find_none(client: Client, cast: Cast) -> None:
    """With terms and without: who signs in does so before the dry run then."""
    cast.board.label_sets.update(is_hidden=True)
    for text in ("", "Be kind."):
        set_terms(cast.board, text, by=cast.organiser)
        page = client.get(PAGE).content.decode()
        assert "The organisers have not given any files yet." in folded(page)
        assert "toprung data http" not in page
        assert page.count("toprung login http") == 1


def test_a_file_is_sent_whole_from_where_it_broke_off_or_not_again(client: Client, offered: DataFile) -> None:
    url = f"{PAGE}files/queries.tsv"
    first = client.get(url)
    assert body_of(first) == CONTENT
    assert first.headers["ETag"] == f'"{hashlib.sha256(CONTENT).hexdigest()}"'
    assert "attachment" in first.headers["Content-Disposition"]
    rest = client.get(url, headers={"Range": "bytes=10-", "If-Range": first.headers["ETag"]})
    assert (rest.status_code, body_of(rest)) == (206, CONTENT[10:])
    assert rest.headers["Content-Range"] == f"bytes 10-{len(CONTENT) - 1}/{len(CONTENT)}"
    other = client.get(url, headers={"Range": "bytes=10-", "If-Range": '"another"'})
    assert (other.status_code, body_of(other)) == (200, CONTENT)
    assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(f"{PAGE}files/nothing.tsv").status_code == 404


def test_terms_are_accepted_before_a_download_and_by_version(client: Client, cast: Cast, offered: DataFile) -> None:
    terms = set_terms(cast.board, "Use it for **research**. <script>x</script>", by=cast.organiser)
    assert terms is not None
    assert set_terms(cast.board, terms.text, by=cast.organiser) == terms  # nothing new, nothing asked again
    url = f"{PAGE}files/queries.tsv"
    assert client.get(url).status_code == 403
    client.force_login(cast.participant)
    page = client.get(PAGE).content.decode()
    assert "<strong>research</strong>" in page
    assert "<script>x" not in page
    assert client.get(url).status_code == 302
    client.post(f"{PAGE}accept/", {"digest": "sha256:of-others"})
    assert not TermsAcceptance.objects.exists()
    client.post(f"{PAGE}accept/", {"digest": terms.digest})
    accepted = TermsAcceptance.objects.get()
    assert (accepted.user, accepted.terms) == (cast.participant, terms)
    assert body_of(client.get(url)) == CONTENT
    set_terms(cast.board, "Other terms.", by=cast.organiser)
    assert client.get(url).status_code == 302  # whoever accepted others is asked again
    with pytest.raises(TermsError, match="no longer hold"):
        accept_terms(cast.board, terms.digest, by=cast.participant)
    client.force_login(cast.organiser)
    read = folded(client.get(ORGANISE).content.decode())
    assert f"{accepted.at:%Y-%m-%d %H:%M}" in read
    assert f"<td>{cast.participant}</td>" in read, "who accepted an older version stays on record"
    assert f"{terms.digest[7:11]}…{terms.digest[-4:]}" in read
    set_terms(cast.board, "", by=cast.organiser)
    assert current_terms(cast.board) is None
    client.logout()
    assert body_of(client.get(url)) == CONTENT
    said = [each.what for each in cast.board.audit.order_by("number")][1:]
    assert said == ["Changed the terms of the data"] * 2 + ["Took away the terms of the data"]


def test_terms_stand_before_a_link_too(client: Client, cast: Cast) -> None:
    """Where it leads is told to who accepted; until then pages and programs name the file alone."""
    said = FileSaid(kind="corpus", name="documents.zst")
    give_link(cast.board, said, "https://data.example.org/d.zst", "a" * 64, by=cast.organiser)
    assert 'href="https://data.example.org/d.zst"' in client.get(PAGE).content.decode()
    terms = set_terms(cast.board, "Be kind.", by=cast.organiser)
    assert terms is not None
    for person in (None, cast.participant):
        if person is not None:
            client.force_login(person)
        page = folded(client.get(PAGE).content.decode())
        assert "data.example.org" not in page
        assert "documents.zst" in page
        assert "elsewhere, told once the terms are accepted" in page
    accept_terms(cast.board, terms.digest, by=cast.participant)
    assert 'href="https://data.example.org/d.zst"' in client.get(PAGE).content.decode()
    client.logout()
    first = client.get("/api/v1/boards/web-docs/data").json()["files"][0]
    assert (first["name"], first["link"], first["needs_terms"]) == ("documents.zst", None, True)


def test_hidden_files_are_there_for_organisers_alone_with_a_reason(
    client: Client, cast: Cast, hidden: DataFile
) -> None:
    opening = f"{ORGANISE}{hidden.pk}/open/"
    for person in (None, cast.stranger, cast.participant, cast.assessor, cast.other_organiser):
        if person is not None:
            client.force_login(person)
        assert "private.tsv" not in client.get(PAGE).content.decode()
        assert client.get(f"{PAGE}files/private.tsv").status_code == 404
        assert client.post(opening, {"reason": REASON}).status_code == (302 if person is None else 404)
    assert b"private" not in client.get(f"{PAGE}SHA256SUMS").content
    client.force_login(cast.organiser)
    assert client.get(f"{PAGE}files/private.tsv").status_code == 404
    assert client.post(opening, {"reason": "because"}).status_code == 422
    assert not TextAccess.objects.exists()
    assert body_of(client.post(opening, {"reason": REASON})) == b"p01\ta secret question\n"
    access = TextAccess.objects.get()
    assert (access.user, access.what, access.reason) == (
        cast.organiser,
        "Downloaded the hidden file private.tsv",
        REASON,
    )
    assert f"“{REASON}”" in client.get(ORGANISE).content.decode()


def test_a_file_is_called_as_it_was_with_what_no_name_can_have_left_out(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    for called, name in (("queries dev (1).tsv", "queries-dev-1.tsv"), ("Fragen für alle.tsv", "Fragen-f-r-alle.tsv")):
        sent = {"kind": "queries", "file": SimpleUploadedFile(called, b"d01\tone\n")}
        assert client.post(ORGANISE, sent).status_code == 302, called
        assert DataFile.objects.latest("pk").name == name
    sent = {"kind": "other", "file": SimpleUploadedFile("…", b"d01\tone\n")}
    assert "Name: found &#x27;&#x27;; expected letters" in client.post(ORGANISE, sent).content.decode()


def test_organisers_give_and_remove_files_on_their_page(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    sent = {"kind": "queries", "file": SimpleUploadedFile("queries-dev.tsv", b"d01\tone\nd02\ttwo\n")}
    assert client.post(ORGANISE, sent).status_code == 302
    file = DataFile.objects.get()
    assert (file.name, file.n_texts, file.added_by) == ("queries-dev.tsv", 2, cast.organiser)
    broken = {"kind": "queries", "file": SimpleUploadedFile("bad.tsv", b"d01 one\n")}
    response = client.post(ORGANISE, broken)
    assert response.status_code == 422
    assert "bad.tsv, line 1: found" in response.content.decode()
    response = client.post(ORGANISE, {"kind": "corpus"})
    assert "Found neither a file nor a link" in response.content.decode()
    link = {"kind": "corpus", "link": "https://data.example.org/2/docs.zst?raw=1", "digest": "a" * 64}
    assert client.post(ORGANISE, link).status_code == 302
    assert 'href="https://data.example.org/2/docs.zst?raw=1" rel="nofollow noopener">docs.zst<' in client.get(PAGE).text
    assert client.post(f"{ORGANISE}{file.pk}/remove/").status_code == 302
    assert [each.name for each in DataFile.objects.all()] == ["docs.zst"]
    client.post(f"{ORGANISE}terms/", {"text": "Be kind."})
    terms = current_terms(cast.board)
    assert terms is not None
    assert terms.text == "Be kind."
