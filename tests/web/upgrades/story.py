"""Fills a server with made-up boards on which nearly everything happened, in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django_ox.testing import run_tasks
from tests.web.busy_boards import sign_in
from tests.web.cast import Cast, even_ranks, make_board, make_cast, make_upload, run_text
from tests.web.drawing import figures_left_out
from tests.web.judging.campaigns import draft, work
from tests.web.moving import make_past
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import FileKind
from toprung.web.core.models.judging import CampaignAccess, JudgingNote
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import ApiToken, Invitation, Scope, User
from toprung.web.core.models.runs import PartialUpload, Submission
from toprung.web.core.queue import check
from toprung.web.services.boards.drafts import start_with_labels
from toprung.web.services.data.give import FileSaid, give_file, give_link
from toprung.web.services.data.terms import accept_terms, set_terms
from toprung.web.services.ending.close import close_board
from toprung.web.services.following.announce import announce
from toprung.web.services.following.follow import follow
from toprung.web.services.following.hooks import add_hook
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.review import compute_review
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.labels.read import LabelPlan
from toprung.web.services.people.login_links import make_login_link
from toprung.web.services.people.tokens import make_token
from toprung.web.services.query.report import report_label
from toprung.web.services.runs.submit import submit

LATER = datetime(2190, 1, 1, tzinfo=UTC)
"""When whatever would expire does so: the data is read for years."""


def make_story() -> dict[str, dict[str, str]]:
    """A board with a past, one with a campaign and one that is final; returns the secrets by which people come back."""
    with figures_left_out(), TemporaryDirectory() as folder:
        cast = make_cast(is_hidden=True)
        EmailAddress.objects.bulk_create(
            EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in User.objects.all()
        )
        make_past(cast, Path(folder))
        second = replace(cast, board=make_board("questions", cast.organiser, is_hidden=True))
        _make_campaign(second)
        _say_things(cast)
        _begin_things(cast, Path(folder))
        _claim_in_vain(cast)
        _make_final(replace(cast, board=make_board("last-year", cast.organiser)))
        run_tasks(raise_failures=True)
        _leave_in_the_queue(cast)
        return _let_in(cast)


def _make_campaign(cast: Cast) -> None:
    """Half judged, by people of whom one wrote to the organisers."""
    Board.objects.filter(pk=cast.board.pk).update(quota=9)
    campaign = start(draft(cast, access=CampaignAccess.OPEN, shows_hidden_to_strangers=True), by=cast.organiser)
    for number in range(6):
        assert work(campaign, f"careful-{number}") is not None
    JudgingNote.objects.create(campaign=campaign, assessor="careful-1", text="The third pair was hard.")
    for compute in (watch, compute_review):
        compute(campaign.pk)


def _make_final(cast: Cast) -> None:
    """With public labels, so that everyone sees its scores; closed, and final."""
    settled(cast, "one", 4)
    settled(cast, "two", 2, team=cast.other_team, user=cast.stranger)
    run_tasks(raise_failures=True)
    close_board(cast.board, typed=cast.board.slug, by=cast.organiser)
    run_tasks(raise_failures=True)
    assert Board.objects.get(pk=cast.board.pk).is_final


def _say_things(cast: Cast) -> None:
    board = cast.board
    announce(board, "It begins", "In *May*.", by=cast.organiser)
    terms = set_terms(board, "For research.", by=cast.organiser)
    assert terms is not None
    accept_terms(board, terms.digest, by=cast.participant)
    report_label(board, "d01", "Another document answers it better.", by=cast.stranger)
    follow(board, cast.participant, by_mail=True)
    add_hook(board, cast.participant, "https://hooks.example.org/kestrel")
    give_link(
        board,
        FileSaid(kind=FileKind.CORPUS, name="corpus.tar"),
        "https://data.example.org/corpus.tar",
        "a" * 64,
        by=cast.organiser,
    )


def _begin_things(cast: Cast, folder: Path) -> None:
    """A draft of a board, a file that nobody submitted, and one whose sender stopped in the middle."""
    labels = folder / "labels.txt"
    labels.write_text("".join(f"n{number} 0 rel-n{number} 1\n" for number in range(1, 41)))
    plan = LabelPlan(key="official_file", use=LabelUse.OFFICIAL, path=labels, file_name=labels.name)
    start_with_labels([plan], by=cast.organiser)
    (folder / "queries.tsv").write_text("d01\twhat is offered\n")
    said = FileSaid(kind=FileKind.QUERIES, name="queries.tsv")
    give_file(cast.board, said, folder / "queries.tsv", by=cast.organiser)
    accepted(cast, run_text(even_ranks(7)))
    PartialUpload.objects.create(
        board=cast.board, team=cast.team, user=cast.mate, file_name="half.txt", size=1000, digest=f"sha256:{'0' * 64}"
    )
    Invitation.invite(cast.team, by=cast.participant)


def _claim_in_vain(cast: Cast) -> None:
    """A run that is better than the holder of the top rung on one query of forty."""
    run = accepted(cast, run_text(even_ranks(2) | {"q21": 1}, team="-near"))
    submit(run, RunCard(name="near"), by=cast.participant)


def _leave_in_the_queue(cast: Cast) -> None:
    """A run to be scored and a file to be checked, by the workers of the version that comes."""
    run = accepted(cast, run_text(even_ranks(2), team="-late"), team=cast.other_team, user=cast.stranger)
    submit(run, RunCard(name="waiting"), by=cast.stranger)
    file = make_upload(cast.board, cast.team, cast.mate, run_text(even_ranks(8)), file_name="unchecked.txt")
    check.enqueue(file.pk)


def _let_in(cast: Cast) -> dict[str, dict[str, str]]:
    """Tokens and sessions of people by their names, and a login link."""
    people = {"participant": cast.participant, "organiser": cast.organiser}
    everything = tuple(Scope)
    tokens = {name: make_token(user, name="laptop", scopes=everything)[1] for name, user in people.items()}
    sessions = {name: sign_in(user) for name, user in people.items()}
    link = make_login_link(cast.mate)
    ApiToken.objects.update(expires_at=LATER)
    Session.objects.update(expire_date=LATER)
    Invitation.objects.update(expires_at=LATER)
    Submission.objects.exclude(anonymous_until=None).update(anonymous_until=date(2190, 1, 1))
    return {"tokens": tokens, "sessions": sessions, "links": {"mate": link}}
