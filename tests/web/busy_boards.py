"""Boards on which everything has happened, for tests that look at every page: the same runs under each release policy.

Every hidden thing is recognisable, so that a test can look for it in whatever a person is shown: names and teams under
an embargo, documents of hidden labels, private scores, exact scores and counts, files of other teams.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from django.test import Client
from django.utils import timezone
from tests.web.cast import DEV, Cast, make_cast, make_labels, make_team, make_upload, make_user, run_text

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Invitation, Scope, Team, User
from toprung.web.core.models.runs import RunState, Submission, Upload
from toprung.web.core.store.judging_records import start_records
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.data.give import FileSaid, give_file
from toprung.web.services.labels.access_log import note_view
from toprung.web.services.people.login_links import make_login_link
from toprung.web.services.people.tokens import make_token
from toprung.web.services.results.compute import compute_results
from toprung.web.services.results.validity import compute_validity
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.edit import edit_card
from toprung.web.services.runs.fail import fail_submission
from toprung.web.services.runs.mail import tell_sender
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import add_baseline, submit

OFFICIAL = [f"q{number:03}" for number in range(1, 398)]
PRIVATE = [f"p{number:03}" for number in range(1, 212)]
MIXED_OVER = 150
RELEASES = ("full", "rounded:3", "ladder:0.01")
CLOSED = "closed-doors"
"""The board that is not public; under Ladder, as the strictest."""

HIDDEN_TEAM = "Quokka Hideout"
NAME_WAS, HIDDEN_NAME, HIDDEN_OWN = "sumatra-vault", "zanzibar-vault", "madagascar-vault"
"""What the run of the hidden team was called before and is; a run under an embargo of a team that has others."""
TELLING = {"R4": ("burrow", "tunnel"), "R6": ("lagoon", "atoll")}
"""Words of the description, paper, code, system and file of anonymous runs that would tell whose they are."""
STUDY = "study"
REFUSED_FILE, WAITING_FILE, OTHER_FILE = "kestrel-broken.txt", "kestrel-waiting.txt", "norrland-broken.txt"
VOID_REASON = "The run was made with the labels of an older version."
LABEL_REASON = "A team asked about a query."
TOKEN_OF_MATE = "the mate’s laptop"
HIDDEN_TEXT, OFFERED_FILE, HIDDEN_FILE = "marzipan for armadillos", "queries-dev.tsv", "hidden-queries.tsv"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A run: how many official and private queries it answers at each rank, and what becomes of it."""

    name: str
    team: str
    official: Mapping[int, int]
    private: Mapping[int, int]
    mixed: int = 0
    """Seeds the order of queries: two runs with nearly the same counts then differ query by query, either way."""
    telling: tuple[str, str] | None = None
    """Of an anonymous run: words that would tell whose it is."""


# Labels are given in this order. Where a claim is meant, it is against the holder of that moment.
# Private scores, to three digits, are no other figure of the boards: a change that makes one of them such needs others.
PLANS = {
    "B1": Plan(name="bm25", team="", official={3: 151, 5: 93, 8: 47}, private={3: 71, 6: 41}),
    # Claim 1, passed: takes the rung from the baseline.
    "R1": Plan(name="kestrel-one", team="Kestrel Lab", official={1: 101, 2: 83, 3: 61, 5: 41}, private={1: 57, 4: 43}),
    # Claim 2, not passed: a little above R1, and on other queries.
    "R2": Plan(
        name="norrland-one",
        team="Norrland IR",
        official={1: 103, 2: 82, 3: 61, 5: 39},
        private={1: 61, 3: 37},
        mixed=23,
    ),
    # Below the best of its team: not released under Ladder.
    "R3": Plan(name="kestrel-two", team="Kestrel Lab", official={1: 91, 2: 83, 3: 61, 5: 41}, private={1: 53, 2: 44}),
    # Claim 3, passed: holds the rung under an embargo.
    "R4": Plan(
        name=NAME_WAS,
        team=HIDDEN_TEAM,
        official={1: 181, 2: 71, 3: 53, 4: 29},
        private={1: 97, 2: 38},
        telling=TELLING["R4"],
    ),
    # Claim 4, passed, then voided: the rung goes back to R4.
    "R5": Plan(name="norrland-two", team="Norrland IR", official={1: 263, 2: 61, 3: 31}, private={1: 111, 3: 39}),
    # Moves the score of its team, under an embargo.
    "R6": Plan(
        name=HIDDEN_OWN,
        team="Kestrel Lab",
        official={1: 179, 2: 72, 3: 53, 4: 29},
        private={1: 93, 3: 34},
        mixed=31,
        telling=TELLING["R6"],
    ),
    # Claim 5, not passed, and withdrawn later.
    "R7": Plan(
        name="norrland-gone",
        team="Norrland IR",
        official={1: 184, 2: 67, 3: 51, 4: 29},
        private={1: 87, 2: 35},
        mixed=43,
    ),
    # Claim 6, not passed; less than a step above what is shown of R6, so not released under Ladder.
    "R8": Plan(
        name="kestrel-near",
        team="Kestrel Lab",
        official={1: 181, 2: 72, 3: 53, 4: 29},
        private={1: 89, 2: 36},
        mixed=57,
    ),
}
SUPPORTED = {"R1": True, "R2": False, "R4": True, "R5": True, "R7": False, "R8": False}
SUPPORTED_ON_LADDER = {label: passed for label, passed in SUPPORTED.items() if label not in ("R7", "R8")}
"""What is not released makes no claim."""
VOIDED, WITHDRAWN, QUEUED, FAILED = "R5", "R7", "R9", "R10"
NOT_RELEASED = ("R3", "R7", "R8")
"""Under Ladder; R7 is withdrawn besides."""
EMBARGOED = ("R4", "R6")


@dataclass(frozen=True, kw_only=True)
class BusyBoard:
    """A board, and the files on it that are not runs."""

    board: Board
    refused: Upload
    """Of the participant's team; so are the next two."""
    waiting: Upload
    accepted: Upload
    other_refused: Upload
    """Of the stranger's team."""
    hidden: Upload
    """The file of the run that holds the rung under an embargo."""
    baseline_file: Upload
    """Of the organisers: accepted, and no baseline yet."""

    def run(self, label: str) -> Submission:
        return self.board.submissions.get(run_id=label)


@dataclass(frozen=True, kw_only=True)
class World:
    """Everybody, and every board."""

    cast: Cast
    viewer: User
    hider: User
    """In the team that nobody is to know of."""
    hidden_team: Team
    boards: Mapping[str, BusyBoard]
    """By slug."""
    invitation: str
    """The secret of a link into the participant's team."""
    login_link: str
    """Lets the mate in."""
    sessions: Mapping[str, str]
    """Of everybody's browser, by role: all have signed in."""

    def person(self, role: str) -> User | None:
        return None if role == "anonymous" else _people(self.cast, self.viewer)[role]


def slug_of(release: str) -> str:
    return release.partition(":")[0]


def make_world() -> World:
    """A board under each release policy, and one that is not public."""
    cast, viewer, hider = make_cast(), make_user("viewer"), make_user("hider")
    teams = {team.name: team for team in (cast.team, cast.other_team, make_team(HIDDEN_TEAM, hider))}
    members = {cast.team.name: cast.participant, cast.other_team.name: cast.stranger, HIDDEN_TEAM: hider}
    boards: dict[str, dict[str, object]] = {slug_of(release): {"release": release} for release in RELEASES}
    boards[CLOSED] = {"release": "ladder:0.01", "is_public": False}
    made = {}
    for slug, fields in boards.items():
        board = _make_board(slug, cast, viewer, fields)
        made[slug] = _fill(board, cast, teams, members)
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    make_token(cast.mate, name=TOKEN_OF_MATE, scopes=[Scope.READ])
    return World(
        cast=cast,
        viewer=viewer,
        hider=hider,
        hidden_team=teams[HIDDEN_TEAM],
        boards=made,
        invitation=secret,
        login_link=make_login_link(cast.mate),
        sessions={role: sign_in(person) for role, person in _people(cast, viewer).items()},
    )


def _people(cast: Cast, viewer: User) -> dict[str, User]:
    """By the role in which they come."""
    named = {name: getattr(cast, name) for name in ("participant", "mate", "stranger", "assessor", "organiser")}
    return named | {"viewer": viewer, "elsewhere": cast.other_organiser}


def sign_in(user: User) -> str:
    """The session of a browser in which the person has signed in."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def ranks_of(plan: Plan) -> dict[str, int]:
    return _give_out(OFFICIAL, plan.official, plan.mixed) | _give_out(PRIVATE, plan.private) | dict.fromkeys(DEV, 1)


def _give_out(queries: list[str], counts: Mapping[int, int], mixed: int = 0) -> dict[str, int]:
    """The first queries get the first rank, and so on; the rest are not answered."""
    ranks = [rank for rank, count in counts.items() for _ in range(count)]
    ranks += [0] * (len(queries) - len(ranks))
    if mixed:
        draw = Random(mixed)
        places = {query: place + draw.uniform(0, MIXED_OVER) for place, query in enumerate(queries)}
        queries = sorted(queries, key=places.__getitem__)
    return dict(zip(queries, ranks, strict=True))


def _make_board(slug: str, cast: Cast, viewer: User, fields: Mapping[str, object]) -> Board:
    board = Board.objects.create(
        slug=slug,
        title=f"The {slug} board",
        task="Rank documents.",
        description="Find *the* document.",
        created_by=cast.organiser,
        who_may_submit=Admission.ANYONE,
        quota=20,
        other_measures=["nDCG@10"],
        opens_at=timezone.now() - timedelta(days=300),
        **fields,
    )
    roles = {cast.organiser: Role.ORGANISER, cast.assessor: Role.ASSESSOR, viewer: Role.VIEWER}
    if not board.is_public:
        roles |= dict.fromkeys((cast.participant, cast.mate, cast.stranger), Role.PARTICIPANT)
    for user, role in roles.items():
        BoardRole.objects.create(board=board, user=user, role=role)
    make_labels(board, LabelUse.OFFICIAL, OFFICIAL)
    make_labels(board, LabelUse.PRIVATE, PRIVATE)
    make_labels(board, LabelUse.DEV, DEV, is_hidden=False)
    return board


def _fill(board: Board, cast: Cast, teams: Mapping[str, Team], members: Mapping[str, User]) -> BusyBoard:
    for label, plan in PLANS.items():
        submission = _submit(board, plan, teams.get(plan.team), members.get(plan.team, cast.organiser))
        assert submission.run_id == label
        _settle(submission)
        if label == VOIDED:
            void_claim(submission.claim, reason=VOID_REASON, by=cast.organiser)
    _check_claims(board)
    _edit(board.submissions.get(run_id="R4"), members[HIDDEN_TEAM])
    _date(board)
    withdraw(board.submissions.get(run_id=WITHDRAWN), by=cast.stranger)
    waits = Plan(name="kestrel-late", team=cast.team.name, official={1: 7}, private={})
    fails = Plan(name="norrland-failed", team=cast.other_team.name, official={1: 9}, private={})
    _submit(board, waits, cast.team, cast.participant)
    fail_submission(_submit(board, fails, cast.other_team, cast.stranger).pk, "rel-q001 could not be read")
    note_view(board.label_sets.get(use=LabelUse.PRIVATE), ["p001"], reason=LABEL_REASON, by=cast.organiser)
    for each in board.submissions.filter(state__in=(RunState.DONE, RunState.FAILED)):
        tell_sender(each.pk)
    _give_data(board, cast)
    make_study(board, cast)
    compute_results(board.pk)
    compute_validity(board.pk)
    board.refresh_from_db()
    return BusyBoard(
        board=board,
        refused=_send(board, cast.team, cast.participant, b"q001 Q0 d1 one 1.0 x\n", REFUSED_FILE),
        waiting=make_upload(board, cast.team, cast.participant, b"q001 Q0 d1 1 1.0 x\n", file_name=WAITING_FILE),
        accepted=_send(board, cast.team, cast.participant, run_text(ranks_of(waits)), "kestrel-good.txt"),
        other_refused=_send(board, cast.other_team, cast.stranger, b"q001 d1 first\n", OTHER_FILE),
        hidden=board.submissions.get(run_id="R4").upload,
        baseline_file=_send(board, None, cast.organiser, run_text(ranks_of(PLANS["B1"])), "bm25.txt"),
    )


def _give_data(board: Board, cast: Cast) -> None:
    """Texts of dev queries for everyone, and of hidden ones for few."""
    for name, text in ((OFFERED_FILE, "d01\twhat is offered\n"), (HIDDEN_FILE, f"q001\t{HIDDEN_TEXT}\n")):
        said = FileSaid(kind="queries", name=name, is_hidden=name == HIDDEN_FILE)
        with tempfile.NamedTemporaryFile() as file:
            file.write(text.encode())
            file.flush()
            give_file(board, said, Path(file.name), by=cast.organiser)


def make_study(board: Board, cast: Cast) -> Campaign:
    """A campaign that only assessors of the board come to; without pools, for nothing is judged here."""
    labels = board.label_sets.get(use=LabelUse.OFFICIAL)
    campaign = Campaign.objects.create(
        board=board,
        label_set=labels,
        slug=STUDY,
        key=f"{STUDY}-{board.pk}",
        title="Which answer is better?",
        state=CampaignState.RUNNING,
        created_by=cast.organiser,
    )
    CampaignDesign.objects.create(campaign=campaign)
    start_records(campaign)
    return campaign


def _submit(board: Board, plan: Plan, team: Team | None, user: User) -> Submission:
    file_name = f"{'-'.join(plan.telling)}.txt" if plan.telling else f"{plan.name}.txt"
    found_by = "" if team is None else f"-{team.pk}"
    upload = _send(board, team, user, run_text(ranks_of(plan), name=plan.name, team=found_by), file_name)
    if team is None:
        return add_baseline(upload, RunCard(name=plan.name), by=user)
    return submit(upload, _words(plan), by=user)


def _words(plan: Plan) -> RunCard:
    if plan.telling is None:
        return RunCard(name=plan.name, description=f"How {plan.name} was made.", tags=("dense",))
    description, system = plan.telling
    return RunCard(
        name=plan.name,
        description=f"A {description} retriever.",
        paper=f"https://example.org/{description}",
        code=f"https://example.org/{system}",
        system=system,
        tags=("dense",),
        anonymous_until=timezone.now().date() + timedelta(days=100),
    )


def _send(board: Board, team: Team | None, user: User, content: bytes, file_name: str) -> Upload:
    upload = make_upload(board, team, user, content, file_name=file_name)
    check_upload(upload.pk)
    upload.refresh_from_db()
    return upload


def _settle(submission: Submission) -> None:
    assert score_submission(submission.pk)
    assert settle_board(submission.board_id) == 1
    submission.refresh_from_db()


def _edit(submission: Submission, user: User) -> None:
    from dataclasses import replace

    edit_card(submission, replace(submission.card, name=HIDDEN_NAME), by=user)


def _date(board: Board) -> None:
    """One run a fortnight, the last of them this morning."""
    submissions = list(board.submissions.order_by("-number"))
    for number, each in enumerate(submissions):
        Submission.objects.filter(pk=each.pk).update(submitted_at=timezone.now() - timedelta(days=14 * number))


def _check_claims(board: Board) -> None:
    """The tests rest on these: a change of the statistics should say so here."""
    found = {claim.submission.run_id: claim.passed for claim in board.claims.all()}
    is_ladder = board.release.startswith("ladder")
    assert found == (SUPPORTED_ON_LADDER if is_ladder else SUPPORTED), found
    board.refresh_from_db()
    assert board.holder is not None
    assert board.holder.run_id == "R4"
    hidden = {each.run_id for each in board.submissions.filter(shown_score=None)}
    assert hidden == (set(NOT_RELEASED) if is_ladder else set()), hidden
