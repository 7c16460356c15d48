"""The standing cast of the web tests: people, teams, a board small enough to check by hand, and run files for it.

Official queries q01 … q40 and private ones p01 … p20 have one relevant document each, ``rel-<query>``; a run is made
from the rank it gives that document on each query (0: not retrieved).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.files.base import ContentFile

from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.models.runs import Upload

OFFICIAL = [f"q{number:02}" for number in range(1, 41)]
PRIVATE = [f"p{number:02}" for number in range(1, 21)]
DEV = ["d01", "d02", "d03"]
PASSWORD = "a long pass phrase"


@dataclass(frozen=True, kw_only=True)
class Cast:
    """Everybody who may come to the board, and the board."""

    board: Board
    organiser: User
    participant: User
    mate: User
    """In the participant's team."""
    stranger: User
    """In another team."""
    assessor: User
    other_organiser: User
    """Of another board."""
    team: Team
    other_team: Team
    other_board: Board


def make_cast(*, is_hidden: bool = False) -> Cast:
    organiser, other_organiser = make_user("organiser", may_create_boards=True), make_user("elsewhere")
    participant, mate, stranger, assessor = map(make_user, ("participant", "mate", "stranger", "assessor"))
    board = make_board("web-docs", organiser, is_hidden=is_hidden)
    other_board = make_board("elsewhere", other_organiser, is_hidden=is_hidden)
    BoardRole.objects.create(board=board, user=assessor, role=Role.ASSESSOR)
    team, other_team = make_team("Kestrel Lab", participant, mate), make_team("Norrland IR", stranger)
    return Cast(
        board=board,
        organiser=organiser,
        participant=participant,
        mate=mate,
        stranger=stranger,
        assessor=assessor,
        other_organiser=other_organiser,
        team=team,
        other_team=other_team,
        other_board=other_board,
    )


def make_user(name: str, **fields: object) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.title(), **fields)


def make_team(name: str, *members: User) -> Team:
    team = Team.objects.create(slug=name.lower().replace(" ", "-"), name=name)
    for user in members:
        Membership.objects.create(team=team, user=user, is_owner=user is members[0])
    return team


def make_board(slug: str, organiser: User, *, is_hidden: bool = False, **fields: object) -> Board:
    """With public official labels, so that figures can be checked by hand: few are shown of 40 hidden queries."""
    usual = {"title": slug.replace("-", " ").title(), "task": "Rank documents.", "release": "rounded:3"}
    usual |= {"who_may_submit": Admission.ANYONE}
    board = Board.objects.create(slug=slug, created_by=organiser, **usual | fields)
    BoardRole.objects.create(board=board, user=organiser, role=Role.ORGANISER)
    make_labels(board, LabelUse.OFFICIAL, OFFICIAL, is_hidden=is_hidden)
    make_labels(board, LabelUse.PRIVATE, PRIVATE)
    make_labels(board, LabelUse.DEV, DEV, is_hidden=False)
    return board


def make_labels(board: Board, use: LabelUse, query_ids: Sequence[str], *, is_hidden: bool = True) -> LabelSet:
    content = "".join(f"{query_id} 0 rel-{query_id} 1\n" for query_id in query_ids).encode()
    return LabelSet.objects.create(
        board=board,
        use=use,
        name=use.value,
        is_hidden=is_hidden,
        n_queries=len(query_ids),
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        file=ContentFile(content, name=f"{board.slug}-{use.value}.txt"),
    )


def run_text(ranks: Mapping[str, int], name: str = "run", team: str = "") -> bytes:
    """A TREC run with ten documents for each query, the relevant one at its rank; teams find other ones beside it."""
    lines = []
    for query_id, relevant_rank in ranks.items():
        for rank in range(1, 11):
            document = (
                f"rel-{query_id}" if rank == relevant_rank else f"other{team if rank > 2 else ''}-{query_id}-{rank}"
            )
            lines.append(f"{query_id} Q0 {document} {rank} {100 - rank} {name}\n")
    return "".join(lines).encode()


def even_ranks(official: int, private: int = 1) -> dict[str, int]:
    """The same rank on every official query, and on every private one."""
    return dict.fromkeys(OFFICIAL, official) | dict.fromkeys(PRIVATE, private) | dict.fromkeys(DEV, 1)


def make_upload(board: Board, team: Team | None, user: User, content: bytes, *, file_name: str = "run.txt") -> Upload:
    """An upload as the form makes it, waiting to be checked."""
    return Upload.objects.create(
        board=board,
        team=team,
        user=user,
        file_name=file_name,
        original=ContentFile(content, name="upload"),
        size=len(content),
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
    )
