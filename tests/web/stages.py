"""How a real board stands when a test begins: each function is called in a process of its own, on new tables."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast, even_ranks, make_board, make_cast, make_team, make_upload, make_user, run_text
from tests.web.runs import accepted, settled
from tests.web.versions import publish_labels

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import ApiToken, Scope, User
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.core.queue import check
from toprung.web.core.store.audit import find_break
from toprung.web.services.data.give import FileSaid, give_file
from toprung.web.services.data.terms import set_terms
from toprung.web.services.people.tokens import make_token
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.forget import forget_old_uploads
from toprung.web.services.runs.submit import submit

CSRF_TOKEN = "a" * 32


def fifty_files() -> dict[str, Any]:
    """One team with fifty checked files and two submissions left; and the cookies of a member."""
    cast = set_up()
    upload = accepted(cast)
    for _ in range(49):
        upload.pk = None
        upload.save()
    return {"uploads": list(Upload.objects.values_list("pk", flat=True)), "cookies": _cookies_of(cast.participant)}


def one_queued_run() -> dict[str, Any]:
    """R1 holds the rung, and R2, of another team and far better, waits to be scored."""
    cast = set_up()
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    upload = accepted(cast, run_text(even_ranks(1)))
    return {"pk": submit(upload, RunCard(name="better"), by=cast.participant).pk}


def poison_and_a_good_file() -> None:
    """A file that makes Polars abort the process, three times, and a good one behind them: all wait for their check."""
    cast = set_up()
    poison = (Path(__file__).parents[1] / "hostile_files/abort.parquet").read_bytes()
    files = [make_upload(cast.board, cast.team, cast.participant, poison) for _ in range(3)]
    files.append(make_upload(cast.board, cast.other_team, cast.stranger, run_text(even_ranks(2))))
    for file in files:
        check.enqueue(file.pk)


def one_queued_file() -> None:
    cast = set_up()
    check.enqueue(make_upload(cast.board, cast.team, cast.participant, run_text(even_ranks(2))).pk)


def labels_to_prepare() -> str:
    """Runs at ranks 4, 1, 2, 5 and 4 with their results, and new labels published, in slices of two runs."""
    from toprung.web.services.labels import rescore as rescoring

    rescoring.SLICE = 2
    cast = set_up()
    Board.objects.filter(pk=cast.board.pk).update(quota=10)
    for number, rank in enumerate((4, 1, 2, 5, 4)):
        settled(cast, f"run-{number}", rank)
    compute_results(cast.board.pk)
    with TemporaryDirectory() as folder:
        publish_labels(cast, Path(folder))
    return cast.board.slug


def boards_to_submit_to() -> dict[str, Any]:
    """A board with a holder, one without a run, one with a single submission a team, one that is closed; and tokens."""
    cast = set_up()
    settled(cast, "holder", 4, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    make_board("news", cast.organiser)
    make_board("scarce", cast.organiser, quota=1)
    make_board("closed", cast.organiser, closes_at=timezone.now() - timedelta(days=1))
    Board.objects.filter(pk=cast.board.pk).update(quota=50)
    second = make_team("Second Team", cast.participant)
    everything = (Scope.READ, Scope.SUBMIT)
    tokens = {
        "participant": make_token(cast.participant, name="laptop", scopes=everything),
        "bound": make_token(cast.participant, name="bound", scopes=everything, team=cast.team),
        "second": make_token(cast.participant, name="second", scopes=everything, team=second),
        "stranger": make_token(cast.stranger, name="stranger", scopes=everything),
        "reader": make_token(cast.mate, name="reader", scopes=[Scope.READ]),
        "expired": make_token(cast.mate, name="expired", scopes=everything),
    }
    ApiToken.objects.filter(pk=tokens["expired"][0].pk).update(expires_at=timezone.now() - timedelta(days=1))
    return {whose: secret for whose, (_, secret) in tokens.items()}


def data_under_terms(*, terms: str) -> None:
    """The first board offers a file under these terms; under none if they are empty."""
    board = Board.objects.get(slug="web-docs")
    organiser = board.roles.get(role="organiser").user
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "sent").write_text("q01\twho\n")
        give_file(board, FileSaid(kind="queries", name="queries.tsv"), path, by=organiser)
    set_terms(board, terms, by=organiser)


def busy_teams() -> list[dict[str, Any]]:
    """Four teams with six checked files each and as many submissions left, and the cookies of a member of each."""
    cast = set_up()
    Board.objects.filter(pk=cast.board.pk).update(quota=100)
    teams = []
    for number in range(4):
        user = make_user(f"member{number}")
        team = make_team(f"Team {number}", user)
        upload = accepted(cast, run_text(even_ranks(2 + number)), team=team, user=user)
        copies = [
            Upload(**{name: value for name, value in _fields_of(upload).items() if name != "id"}) for _ in range(5)
        ]
        made = Upload.objects.bulk_create(copies)
        uploads = [upload.pk, *(each.pk for each in made)]
        teams.append({"name": team.slug, "uploads": uploads, "cookies": _cookies_of(user)})
    return teams


def two_files() -> None:
    """A run that holds the rung, and a checked file that nobody submitted."""
    cast = set_up()
    settled(cast, "first", 4)
    accepted(cast)


def back_up_while_files_go() -> dict[str, Any]:
    """A backup between whose snapshot and files the time of those has come that nobody submitted."""
    from django.conf import settings

    from toprung.web.ops.backup import backing_up
    from toprung.web.ops.backup.named_files import NamedFiles

    find_files = backing_up.find_files

    def forget_first(named: NamedFiles, folder: Path) -> backing_up.FoundFiles:
        Upload.objects.update(sent_at=timezone.now() - timedelta(days=8))
        assert forget_old_uploads() == 1
        return find_files(named, folder)

    backing_up.find_files = forget_first  # this process ends soon
    made = backing_up.back_up(settings.ENVIRONMENT, settings.ENVIRONMENT.data_folder / "backup.tar")
    return {"forgotten": made.facts.forgotten, "lost": made.facts.lost}


def is_chain_whole() -> bool:
    return all(find_break(board) is None for board in Board.objects.all())


def scores() -> list[float | None]:
    return list(Submission.objects.order_by("number").values_list("score", flat=True))


def _fields_of(upload: Upload) -> dict[str, Any]:
    return {field.attname: getattr(upload, field.attname) for field in Upload._meta.concrete_fields}


def _cookies_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={CSRF_TOKEN}"


def set_up() -> Cast:
    """Everybody is there; the tables came with the board."""
    return make_cast()
