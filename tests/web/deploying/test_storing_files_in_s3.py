"""Files lie in a bucket: a run goes from upload to the top rung, and a bucket that is away only delays it."""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from tests.web.api.calling import program_of
from tests.web.buckets import KEY, NAME, SECRET, Bucket, a_bucket
from tests.web.cast import Cast, make_cast
from tests.web.runs import GOOD, accepted, checked, post_words, send, settled

from toprung.boards.archive.verifying import verify_bundle
from toprung.errors import InputError
from toprung.web.core.config.file_store import read_files_url
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import PartialUpload, RunState, Submission, Upload, UploadState
from toprung.web.core.store.files import FilesAwayError, local_path, look_at_files
from toprung.web.ops.housekeeping.orphans import delete_orphans
from toprung.web.ops.housekeeping.trying_again import try_again
from toprung.web.ops.watch import readiness
from toprung.web.services.bundle.exporting import export_from_here
from toprung.web.services.bundle.restoring import restore_board
from toprung.web.services.runs.forget import forget_old_uploads
from toprung.web.services.runs.pieces import WrongPlaceError, receive_piece

pytestmark = pytest.mark.postgres

ADDRESS = "s3://boards/one?endpoint=https://s3.example.org&region=eu-north-1"


@pytest.fixture
def bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with a_bucket() as bucket:
        store = bucket.store.django_settings()
        store["OPTIONS"]["client_config"] = store["OPTIONS"]["client_config"].merge(impatient())
        settings.STORAGES = settings.STORAGES | {"default": store}
        settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, file_store=bucket.store)
        monkeypatch.setattr(readiness, "_seen", {})
        yield bucket


def impatient() -> object:
    from botocore.config import Config

    return Config(retries={"total_max_attempts": 1})


@pytest.fixture
def stored(bucket: Bucket, db: None) -> Cast:
    """The cast, whose label files lie in the bucket."""
    return make_cast()


@pytest.fixture
def participant(client: Client, stored: Cast) -> Client:
    client.force_login(stored.participant)
    return client


def test_a_run_goes_from_upload_to_the_top_rung(participant: Client, stored: Cast, bucket: Bucket) -> None:
    post_words(participant, stored, checked(participant, stored))
    run_tasks(raise_failures=True)
    run = Submission.objects.get()
    assert (run.state, run.score) == (RunState.DONE, 0.5)  # every answer at rank 2
    stored.board.refresh_from_db()
    assert stored.board.holder == run
    folders = {name.removeprefix(f"{bucket.prefix}/").partition("/")[0] for name in bucket.names()}
    assert folders == {"labels", "uploads", "runs"}
    assert participant.get("/b/web-docs/").status_code == 200
    assert participant.get("/b/web-docs/runs/R1/").status_code == 200


def test_files_are_for_their_owner_alone(stored: Cast, bucket: Bucket) -> None:
    for name in bucket.names():
        assert [grant["Permission"] for grant in bucket.grants(name)] == ["FULL_CONTROL"]
        assert [grant["Grantee"]["Type"] for grant in bucket.grants(name)] == ["CanonicalUser"]


def test_a_copy_of_a_file_is_gone_when_it_was_read(stored: Cast) -> None:
    with local_path(stored.board.label_sets.get(use="official").file) as path:
        assert path.read_text().startswith("q01 0 rel-q01 1\n")
    assert not path.exists()


def test_organisers_take_labels_with_them(client: Client, stored: Cast) -> None:
    client.force_login(stored.organiser)
    labels = stored.board.label_sets.get(use="official")
    fields = {"reason": "A team asked about query q01.", "how": "download"}
    response = client.post(f"/b/web-docs/organise/labels/{labels.pk}/", fields)
    content = b"".join(response.streaming_content)
    assert content.count(b"\n") == 40
    assert response.headers["Content-Length"] == str(len(content))


def test_what_is_forgotten_is_gone_from_the_bucket(
    stored: Cast, bucket: Bucket, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = bucket.names()
    accepted(stored)
    assert len(bucket.names()) == len(before) + 2
    Upload.objects.update(sent_at=timezone.now() - timedelta(days=8))
    with django_capture_on_commit_callbacks(execute=True):
        forget_old_uploads()
    assert bucket.names() == before


def test_two_files_of_one_name_are_both_kept(bucket: Bucket) -> None:
    from django.core.files.base import ContentFile

    names = [default_storage.save("labels/a", ContentFile(content)) for content in (b"one", b"two")]
    for name, content in zip(names, (b"one", b"two"), strict=True):
        with default_storage.open(name) as file:
            assert file.read() == content


def test_a_bucket_that_is_away_takes_no_file_and_says_so(participant: Client, stored: Cast, bucket: Bucket) -> None:
    bucket.stop()
    response = send(participant, stored)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "60"
    assert "Nothing was stored half; try again in a while." in response.content.decode()
    assert not Upload.objects.exists()
    bucket.start()
    assert send(participant, stored).status_code == 302


def test_a_check_waits_for_the_bucket_and_the_file_is_not_blamed(
    participant: Client, stored: Cast, bucket: Bucket
) -> None:
    send(participant, stored)
    bucket.stop()
    for _ in range(5):
        OxTask.objects.update(run_after=None)
        run_tasks()
    failed = OxTask.objects.get(task_path__endswith=".check")
    assert (failed.status, failed.attempts) == ("FAILED", 5)
    assert failed.errors[-1]["exception_class_path"] == "toprung.web.core.store.files.FilesAwayError"
    bucket.start()
    assert try_again() == 0  # it has not waited yet
    OxTask.objects.update(finished_at=timezone.now() - timedelta(minutes=6))
    assert try_again() == 1
    run_tasks(raise_failures=True)
    upload = Upload.objects.get()
    assert (upload.state, upload.attempts) == (UploadState.ACCEPTED, 1)


def test_scoring_waits_for_the_bucket_and_nothing_is_lost(participant: Client, stored: Cast, bucket: Bucket) -> None:
    post_words(participant, stored, checked(participant, stored))
    bucket.stop()
    run_tasks()
    run = Submission.objects.get()
    assert (run.state, run.score) != (RunState.FAILED, None)
    assert run.state in (RunState.QUEUED, RunState.SCORING)
    bucket.start()
    OxTask.objects.filter(status="READY").update(run_after=None)
    run_tasks(raise_failures=True)
    run.refresh_from_db()
    assert (run.state, run.score) == (RunState.DONE, 0.5)


def test_what_cannot_be_deleted_now_is_deleted_later(
    stored: Cast,
    bucket: Bucket,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = bucket.names()
    accepted(stored)
    settled(stored, "kept", 4)
    Upload.objects.update(sent_at=timezone.now() - timedelta(days=8))
    bucket.stop()
    with django_capture_on_commit_callbacks(execute=True):
        assert forget_old_uploads() == 1
    bucket.start()
    assert len(bucket.names()) == len(before) + 4
    assert delete_orphans() == 0, "too young"
    monkeypatch.setattr("toprung.web.ops.housekeeping.orphans.OLD_ENOUGH", timedelta(0))
    assert delete_orphans() == 2
    assert len(bucket.names()) == len(before) + 2
    with local_path(Submission.objects.get().upload.parquet) as path:
        assert path.stat().st_size > 0


def test_a_file_comes_in_pieces_and_a_bucket_that_is_away_only_delays_it(
    stored: Cast, bucket: Bucket, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    program, half = program_of(stored.participant), len(GOOD) // 2
    file_id = program.start("web-docs", "kestrel-lab", GOOD).json()["id"]
    assert program.send_piece("web-docs", file_id, GOOD[:half], 0).json()["received"] == half
    bucket.stop()
    assert program.send_piece("web-docs", file_id, GOOD[half:], half).status_code == 503
    bucket.start()
    late = PartialUpload.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        last = program.send_piece("web-docs", file_id, GOOD[half:], half)
    assert (last.status_code, last.json()["state"]) == (200, "waiting")
    with pytest.raises(WrongPlaceError):  # who sent the same at that moment finds the pieces gone
        receive_piece(late, GOOD[half:], offset=half)
    with Upload.objects.get().original.open("rb") as file:
        assert file.read() == GOOD
    assert not [name for name in bucket.names() if "/partial/" in name]


def test_nothing_of_another_file_than_was_announced_stays_in_the_bucket(
    stored: Cast, bucket: Bucket, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    program, before = program_of(stored.participant), bucket.names()
    file_id = program.start("web-docs", "kestrel-lab", GOOD).json()["id"]
    program.send_piece("web-docs", file_id, GOOD[:9], 0)
    with django_capture_on_commit_callbacks(execute=True):
        assert program.send_piece("web-docs", file_id, GOOD[:8:-1], 9).status_code == 422
    assert bucket.names() == before


def test_readiness_knows_whether_the_bucket_answers(
    bucket: Bucket, client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "files: ok\n" in client.get("/readyz").content.decode()
    bucket.stop()
    with pytest.raises(FilesAwayError):
        look_at_files()
    monkeypatch.setattr(readiness, "_seen", {})
    assert "files: not reachable\n" in client.get("/readyz").content.decode()
    bucket.start()


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("ask", [default_storage.size, default_storage.get_modified_time])
def test_a_file_that_is_not_there_is_no_fault_of_the_store(ask: Callable[[str], object]) -> None:
    with pytest.raises(FileNotFoundError) as found:
        ask("runs/none")
    assert not isinstance(found.value, FilesAwayError)


def test_a_board_is_neither_exported_nor_imported_while_the_bucket_is_away(
    stored: Cast, bucket: Bucket, tmp_path: Path
) -> None:
    settled(stored, "first", 4)
    export_from_here(stored.board, tmp_path / "whole.toprung", by=stored.organiser)
    bucket.stop()
    with pytest.raises(InputError, match=r"store of the files away \(EndpointConnectionError\).*No bundle"):
        export_from_here(stored.board, tmp_path / "other.toprung", by=stored.organiser)
    assert [path.name for path in tmp_path.iterdir()] == ["whole.toprung"]
    Board.objects.filter(pk=stored.board.pk).update(slug="another")
    with pytest.raises(InputError, match=r"store of the files away .*Nothing was restored"):
        restore_board(verify_bundle(tmp_path / "whole.toprung"), by=stored.organiser)
    assert not Board.objects.filter(slug="web-docs").exists()
    bucket.start()


# ---- what the environment says ----


def test_an_address_says_bucket_prefix_endpoint_and_region() -> None:
    store = read_files_url({"TOPRUNG_FILES_URL": ADDRESS, "TOPRUNG_S3_KEY": KEY, "TOPRUNG_S3_SECRET": SECRET})
    assert store is not None
    assert (store.bucket, store.prefix, store.region) == ("boards", "one", "eu-north-1")
    assert store.endpoint == "https://s3.example.org"
    assert SECRET not in repr(store)
    assert KEY not in repr(store)


def test_without_keys_the_machine_has_its_rights_in_another_way() -> None:
    store = read_files_url({"TOPRUNG_FILES_URL": f"s3://{NAME}"})
    assert store is not None
    assert not {"access_key", "secret_key", "endpoint_url"} & store.django_settings()["OPTIONS"].keys()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"TOPRUNG_FILES_URL": "/srv/files"}, "TOPRUNG_FILES_URL: found another kind of address; expected s3://"),
        ({"TOPRUNG_FILES_URL": f"s3://{KEY}:{SECRET}@boards"}, "TOPRUNG_FILES_URL: found something before an @;"),
        ({"TOPRUNG_FILES_URL": "s3://boards/../up"}, "TOPRUNG_FILES_URL: found another kind of prefix;"),
        ({"TOPRUNG_FILES_URL": "s3://boards?secret=" + SECRET}, "TOPRUNG_FILES_URL: found options that are not known;"),
        (
            {"TOPRUNG_FILES_URL": f"s3://boards?endpoint=https://u:{SECRET}@s3.example.org"},
            "TOPRUNG_FILES_URL: found another kind of endpoint;",
        ),
        (
            {"TOPRUNG_FILES_URL": ADDRESS, "TOPRUNG_S3_SECRET": SECRET},
            "TOPRUNG_S3_KEY: found nothing, though TOPRUNG_S3_SECRET is set;",
        ),
        (
            {"TOPRUNG_S3_KEY": KEY, "TOPRUNG_S3_SECRET": SECRET},
            "TOPRUNG_FILES_URL: found nothing, though TOPRUNG_S3_KEY is set;",
        ),
    ],
)
def test_what_cannot_be_used_is_said_without_a_secret(said: dict[str, str], expected: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_files_url(said)
    assert str(refusal.value).startswith(expected)
    assert SECRET not in str(refusal.value)


def test_where_the_extra_is_missing_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'toprung\[s3\]'"):
        read_files_url({"TOPRUNG_FILES_URL": ADDRESS})


def test_the_content_that_was_sent_is_what_lies_there(participant: Client, stored: Cast) -> None:
    upload = checked(participant, stored)
    with upload.original.open("rb") as file:
        assert file.read() == GOOD
