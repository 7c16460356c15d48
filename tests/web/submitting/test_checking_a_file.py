"""A file is checked: whatever it holds, a clear message, nothing stored half, nothing charged, no error of ours."""

from __future__ import annotations

import bz2
import dataclasses
import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import zstandard
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from tests.web.cast import DEV, OFFICIAL, PRIVATE, Cast, even_ranks, make_upload, run_text
from tests.web.runs import GOOD, accepted, checked

from toprung.data.formats.runs.compiled import has_scanner
from toprung.data.formats.runs.stored_index import find_index
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Charge, Submission, Upload, UploadState
from toprung.web.core.work.workers import note_worker
from toprung.web.services.runs import check as checking
from toprung.web.services.runs.check import check_upload

PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}
LINE = b"q01 Q0 d1 1 0.5 t\n"
MEGABYTE = LINE * (1_000_000 // len(LINE))


@pytest.fixture
def check(cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Callable[[bytes], Upload]:
    """Check a file and hold it to what is true of every refused one."""

    def check_content(content: bytes) -> Upload:
        upload = make_upload(cast.board, cast.team, cast.participant, content)
        path = upload.original.path
        with django_capture_on_commit_callbacks(execute=True):
            check_upload(upload.pk)
        upload.refresh_from_db()
        if upload.state == UploadState.REFUSED:
            assert not upload.original
            assert not upload.parquet
            assert not django_settings.ENVIRONMENT.files.joinpath(path).exists()
            assert upload.dev_scores == {}
            assert upload.report["findings"][0]["severity"] == "error"
        assert not Submission.objects.exists()
        assert not Charge.objects.exists()
        return upload

    return check_content


@pytest.fixture
def little_memory(settings: Settings) -> None:
    """Hardly more than the program itself takes."""
    limits = ChildLimits(memory_bytes=288 << 20, cpu_seconds=60)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, child_limits=limits)


def errors_of(upload: Upload) -> list[str]:
    assert upload.state == UploadState.REFUSED
    return [each["what"] for each in upload.report["findings"] if each["severity"] == "error"]


def finding_in(upload: Upload, begins: str) -> dict[str, Any]:
    (found,) = [each for each in upload.report["findings"] if each["what"].startswith(begins)]
    return found


# ---- what is accepted ----


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_a_good_file_is_accepted_however_it_is_packed(
    check: Callable[[bytes], Upload], pack: Callable[[bytes], bytes]
) -> None:
    upload = check(pack(GOOD))
    assert upload.state == UploadState.ACCEPTED
    assert upload.report["sentence"] == "Accepted, with nothing to remark"
    assert upload.report["passed"][0] == "630 lines read, six columns each"
    assert "Every query of the board is there" in upload.report["passed"]
    assert upload.original
    assert upload.parquet


@pytest.mark.skipif(not has_scanner(), reason="NO SCANNER: then files have no index")
def test_an_accepted_file_is_kept_in_the_layout_that_is_scored_without_reading_it_whole(
    check: Callable[[bytes], Upload],
) -> None:
    with check(GOOD).parquet.open("rb") as file:
        index = find_index(file.read())
    assert index is not None
    assert len(index.hashes) == 630


def test_the_dry_run_is_on_the_dev_labels(check: Callable[[bytes], Upload]) -> None:
    """The answer stands first on the dev queries, second on the official ones."""
    assert check(GOOD).dev_scores == {"n_queries": 3, "scores": [["RR@100", 1.0]]}


def test_a_file_without_dev_queries_has_no_dry_run(check: Callable[[bytes], Upload]) -> None:
    upload = check(run_text(dict.fromkeys(OFFICIAL + PRIVATE, 1)))
    assert upload.state == UploadState.ACCEPTED
    assert upload.dev_scores == {"n_queries": 3, "scores": []}
    assert not upload.report["findings"], "dev queries may be there and need not"


def test_no_dry_run_is_ever_on_hidden_labels(cast: Cast, check: Callable[[bytes], Upload]) -> None:
    LabelSet.objects.filter(use=LabelUse.DEV).update(is_hidden=True)
    assert check(GOOD).dev_scores == {}


def test_a_second_check_changes_nothing(cast: Cast) -> None:
    upload = accepted(cast)
    check_upload(upload.pk)
    again = Upload.objects.get()
    assert (again.parquet.name, again.attempts) == (upload.parquet.name, 1)


# ---- queries ----


def test_missing_queries_are_counted_together_and_no_set_is_named(check: Callable[[bytes], Upload]) -> None:
    ranks = even_ranks(1)
    for query in ("q01", "q02", "p01"):
        del ranks[query]
    upload = check(run_text(ranks))
    assert upload.state == UploadState.ACCEPTED
    (finding,) = upload.report["findings"]
    assert finding["what"] == "3 of 60 queries are missing."
    assert finding["fix"] == "They count as not answered. p01, q01 and q02."
    said = str(upload.report).lower()
    assert "official" not in said
    assert "private" not in said


def test_unknown_queries_are_said_and_left_out(check: Callable[[bytes], Upload]) -> None:
    upload = check(GOOD + run_text({"z1": 1, "z2": 1}))
    assert finding_in(upload, "2 queries")["what"] == "2 queries are not of this board."


def test_a_run_for_another_task_is_refused(check: Callable[[bytes], Upload]) -> None:
    upload = check(run_text({f"z{number}": 1 for number in range(5)}))
    assert errors_of(upload) == ["None of the 60 queries of this board is in the file."]


@pytest.mark.parametrize("queries", [OFFICIAL, PRIVATE], ids=["official", "private"])
def test_a_run_with_the_queries_of_one_set_looks_like_any_other(
    check: Callable[[bytes], Upload], queries: list[str]
) -> None:
    """The same message for both but for the number, which whoever made the file knows."""
    upload = check(run_text(dict.fromkeys(queries, 1)))
    assert upload.state == UploadState.ACCEPTED
    (finding,) = upload.report["findings"]
    assert finding["what"] == f"{60 - len(queries)} of 60 queries are missing."


# ---- documents ----


def test_a_document_given_twice_is_quoted_with_its_first_line(check: Callable[[bytes], Upload]) -> None:
    upload = check(GOOD + b"q01 Q0 rel-q01 11 1 run\n")
    (what,) = errors_of(upload)
    assert what.startswith("Found document 'rel-q01' of query 'q01' again, first on line 2;")
    first, again = upload.report["findings"][0]["quoted"]
    assert (first["number"], first["fault"]) == (2, "")
    assert (again["number"], again["before"], again["fault"], again["after"]) == (
        631,
        "q01 Q0 ",
        "rel-q01",
        " 11 1 run",
    )


def test_more_documents_than_the_board_takes_are_an_error_that_says_how_to_cut(
    cast: Cast, check: Callable[[bytes], Upload]
) -> None:
    cast.board.depth = 9
    cast.board.save()
    upload = check(GOOD)
    finding = finding_in(
        upload, "Found query 'q01' with 10 documents, and 62 queries more; expected at most 9 for each."
    )
    assert finding["where"] == "line 10 and 62 more"
    assert finding["fix"] == "Cut each query to its first 9: `toprung convert IN OUT --depth 9`"


def test_a_rank_with_a_letter_is_marked_between_its_neighbours(check: Callable[[bytes], Upload]) -> None:
    lines = GOOD.splitlines(keepends=True)
    lines[9] = b"q01 Q0 other-q01-10 1O 90 run\n"
    upload = check(b"".join(lines))
    quoted = upload.report["findings"][0]["quoted"]
    assert [line["number"] for line in quoted] == [9, 10, 11]
    assert [line["fault"] for line in quoted] == ["", "1O", ""]


def test_what_is_quoted_is_cut_and_hides_nothing(check: Callable[[bytes], Upload]) -> None:
    upload = check(GOOD + "q01 Q0 \u202eevil 11 1\x1b[0m run\n".encode() + b"x" * 5000 + b"\n")
    said = str(upload.report)
    assert "\u202e" not in said
    assert "\x1b" not in said
    assert (
        max(len(line["before"] + line["fault"]) for each in upload.report["findings"] for line in each["quoted"]) < 200
    )


# ---- what is no run at all ----


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_bomb_is_refused_before_it_unpacks(
    check: Callable[[bytes], Upload], little_memory: None, pack: Callable[[bytes], bytes]
) -> None:
    bomb = pack(MEGABYTE) * 300
    assert len(bomb) < 1_200_000
    (what,) = errors_of(check(bomb))
    assert "unpack to more than 200 times as many" in what


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_file_over_the_unpacked_cap_is_refused(
    check: Callable[[bytes], Upload], settings: Settings, pack: Callable[[bytes], bytes]
) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, max_unpacked_bytes=len(GOOD) - 1)
    (what,) = errors_of(check(pack(GOOD)))
    assert what == f"Found more than {len(GOOD) - 1:,} bytes; expected a file within the size cap."


def test_a_line_of_a_gigabyte_is_refused_in_little_memory(cast: Cast, little_memory: None) -> None:
    upload = make_upload(cast.board, cast.team, cast.participant, GOOD)
    with open(upload.original.path, "r+b") as file:
        file.truncate(1 << 30)  # a hole: it takes no room on the disk
    check_upload(upload.pk)
    upload.refresh_from_db()
    (what,) = errors_of(upload)
    assert what == "Found a line of more than 65,536 bytes; expected one document on each line."


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_packed_line_without_end_is_refused(check: Callable[[bytes], Upload], pack: Callable[[bytes], bytes]) -> None:
    (what,) = errors_of(check(pack(GOOD + b"q01 Q0 " + b"x" * 100_000)))
    assert what.startswith("Found a line of more than 65,536 bytes")


def make_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("run.txt", GOOD)
    return buffer.getvalue()


def make_tar(mode: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        info = tarfile.TarInfo("../../run.txt")
        info.size = len(GOOD)
        archive.addfile(info, io.BytesIO(GOOD))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (make_zip(), "a zip archive"),
        (make_tar("w"), "a tar archive"),
        (make_tar("w:gz"), "a tar archive"),
        (gzip.compress(gzip.compress(GOOD)), "a file packed twice"),
        (b"%PDF-1.7\n", "a PDF document"),
    ],
    ids=["zip", "tar", "tar.gz", "gz.gz", "pdf"],
)
def test_an_archive_is_called_one(check: Callable[[bytes], Upload], content: bytes, found: str) -> None:
    (what,) = errors_of(check(content))
    assert what.startswith(f"Found {found}; expected one file")


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(256)) * 100,
        b"\x00" * 1000,
        b"\xff\xfe" + "q1 Q0 d1 1 2 t".encode("utf-16-le"),
        b"\x7fELF" + b"\x01" * 500,
        b"\x89PNG\r\n\x1a\n" + bytes(500),
        b"PAR1\x15" + bytes(200) + b"PAR1",
        gzip.compress(GOOD)[:-20],
        bz2.compress(GOOD)[:-20],
        zstandard.compress(GOOD)[:-5],
        b"\n\n\n",
        b"q1 0 d1 1\n",
        b"<script>alert(1)</script>\n",
    ],
    ids=["bytes", "zeros", "utf-16", "program", "picture", "parquet", "gz", "bz2", "zst", "blank", "labels", "script"],
)
def test_garbage_is_refused_with_a_message(check: Callable[[bytes], Upload], content: bytes) -> None:
    for what in errors_of(check(content)):
        assert what.startswith("Found ")
        assert "; expected " in what
        assert "/tmp" not in what


def test_the_page_of_a_refused_file_holds_no_script_of_its_own(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    upload = checked(client, cast, GOOD + b"<script>alert(1)</script>\n", name="<script>.txt")
    for address in (
        reverse("upload", args=["web-docs", upload.pk]),
        f"{reverse('submit', args=['web-docs'])}?upload={upload.pk}",
    ):
        page = client.get(address).content.decode()
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page
        assert "<script>.txt" not in page
        assert "Cannot be scored yet: 1 error" in page


def test_far_more_lines_than_the_board_can_use_are_not_read(
    check: Callable[[bytes], Upload], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "LEAST_LINES", 1000)
    (what,) = errors_of(check(LINE * 600_001))  # were they read, it would be the document that stands there twice
    assert what.startswith("Found 600,001 lines; expected at most 600,000")  # 10 times 1,000 for each of 60 queries


# ---- checks that come to no end ----


def test_a_check_that_always_fails_is_given_up(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError

    upload = make_upload(cast.board, cast.team, cast.participant, GOOD)
    monkeypatch.setattr(checking, "expected_queries", fail)
    for _ in range(checking.MOST_ATTEMPTS):
        with pytest.raises(RuntimeError):
            check_upload(upload.pk)
    check_upload(upload.pk)
    upload.refresh_from_db()
    (what,) = errors_of(upload)
    assert what == "The check did not come to an end, however often it was begun."


def test_a_file_that_was_forgotten_is_not_checked(cast: Cast) -> None:
    upload = make_upload(cast.board, cast.team, cast.participant, GOOD)
    Upload.objects.all().delete()
    check_upload(upload.pk)


# ---- who sees it ----


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("participant", 200),
        ("mate", 200),
        ("organiser", 200),
        ("stranger", 404),
        ("assessor", 404),
        ("other_organiser", 404),
    ],
)
def test_a_file_is_seen_by_its_team_and_organisers(client: Client, cast: Cast, who: str, status: int) -> None:
    upload = accepted(cast)
    client.force_login(getattr(cast, who))
    for query in ({}, {"as": "text"}):
        assert client.get(reverse("upload", args=["web-docs", upload.pk]), query).status_code == status


def test_a_page_that_follows_a_check_gets_what_it_has_not_seen(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    note_worker("one")
    upload = make_upload(cast.board, cast.team, cast.participant, GOOD)
    address, headers = reverse("upload", args=["web-docs", upload.pk]), {"HX-Request": "true"}
    assert client.get(address, {"seen": "waiting"}, headers=headers).status_code == 204
    assert b"every 1s" in client.get(address, {"seen": ""}, headers=headers).content
    check_upload(upload.pk)
    page = client.get(address, {"seen": "waiting"}, headers=headers).content
    assert b"Accepted" in page
    assert b"every 1s" not in page, "there is nothing more to follow"


def test_the_report_as_text_says_the_same(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    upload = checked(client, cast, GOOD + b"q01 Q0 rel-q01 11 1 run\n")
    text = client.get(reverse("upload", args=["web-docs", upload.pk]), {"as": "text"})
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    lines = text.content.decode().splitlines()
    assert lines[0] == "run.txt: Cannot be scored yet: 1 error."
    assert "        631  q01 Q0 rel-q01 11 1 run" in lines


def test_dev_queries_are_no_part_of_those_expected(cast: Cast) -> None:
    assert checking.expected_queries(cast.board) == sorted(OFFICIAL + PRIVATE)
    assert not set(DEV) & set(checking.expected_queries(cast.board))
