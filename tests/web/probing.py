"""A small hidden board before a probe: a run that tells, by whatever changes, whether one label is this or that.

Sixty hidden queries with one relevant document each. All runs but the probe have neither candidate of the query that
is probed; the probe has one of them on top. Whatever is shown must not depend on which of the two is relevant.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core import mail
from django.core.files.base import ContentFile
from django.test import Client
from tests.web.cast import Cast, make_cast, make_team, make_upload, make_user

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Submission
from toprung.web.ops.publish.publish import publish_board
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.mail import tell_sender
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import add_baseline, submit

QUERIES = [f"q{number:02}" for number in range(60)]
PROBED = QUERIES[0]
SLUG = "small"
MOST_PAGES = 250
ENDINGS = ("csv", "json", "tex")
STARTS = (
    *(f"/b/{SLUG}/{page}" for page in ("", "history.json", "history.csv", "labels.json", "embed/", "?per=best")),
    *(f"/b/{SLUG}/export.{ending}" for ending in ENDINGS),
    *(f"/b/{SLUG}/{kind}.{ending}" for kind in ("stability", "significance") for ending in ENDINGS),
    *(f"/b/{SLUG}/{page}" for page in ("feed.atom", "badge.svg", "card.png", "about/", "labels/", "history.png")),
    *(f"/b/{SLUG}/runs/{run}/badge.svg" for run in ("R1", "R3")),
    *(f"/api/v1/boards/{SLUG}{what}" for what in ("", "/standings", "/claims", "/labels", "/timeline")),
    *(f"/api/v1/boards/{SLUG}{what}" for what in ("/stability", "/compare?b=R3&a=R1", "/compare?b=R1&a=B1")),
    *("/api/v1/boards", f"/api/v1/boards/{SLUG}/data"),
    *(f"/api/v1/boards/{SLUG}/runs/{run}" for run in ("R1", "R2", "R3")),
    *(f"/b/{SLUG}/runs/{run}/" for run in ("R1", "R2", "R3")),
    *(f"/b/{SLUG}/compare/?b={b}&a={a}" for b, a in (("R1", "B1"), ("R3", "R1"), ("R3", "B1"))),
    *("/", "/boards/", "/methods/"),
)
NOT_FOLLOWED = re.compile(r"/(static|accounts|organise|edit|withdraw)|\.(css|js)\b|#")
OF_THE_MOMENT = ("Date", "Content-Length", "Set-Cookie")
"""Headers; the length is that of a content which is compared."""
CHANGING = (
    (re.compile(r'name="(csrfmiddlewaretoken|attempt)" value="[\w-]+"'), ""),
    (re.compile(r"(sha256[: ])?\b[0-9a-f]{4,64}((…|\\u2026)[0-9a-f]{4})\b|sha256:\w+|\b[0-9a-f]{8,64}\b"), "digest"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?"), "time"),
    (re.compile(r"\d{1,2}:\d\d(:\d\d)?( UTC)?"), "time"),
    (re.compile(r"\d+ (second|minute)s?"), "a while"),
)


@dataclass(frozen=True, kw_only=True)
class Probed:
    """The board once the probe is settled."""

    board: Board
    probe: Submission
    prober: User
    bystander: User


def text_of(ranks: Mapping[str, int], *, on_probed: str = "", other: str = "other") -> bytes:
    """Ten documents for each query; on the query that is probed neither candidate, unless one is given."""
    lines = []
    for query in QUERIES:
        found = ranks.get(query, 0) if query != PROBED else 0
        for rank in range(1, 11):
            document = f"rel-{query}" if rank == found else f"{other}-{query}-{rank}"
            if query == PROBED and rank == 1 and on_probed:
                document = on_probed
            lines.append(f"{query} Q0 {document} {rank} {100 - rank} run\n")
    return "".join(lines).encode()


def spread(first: int, others: int) -> dict[str, int]:
    """So many queries answered at rank 1, those after at rank 3, the last not at all."""
    return {query: 1 if place <= first else 3 for place, query in enumerate(QUERIES) if place <= first + others}


def make_probed(release: str, relevant: str, *, is_taken_back: bool = False) -> Probed:
    """``relevant`` is what the hidden labels say of the query that is probed; the probe has "this" on top.

    Taken back: no baseline is there, and afterwards the claim of the run that holds the rung is voided, and the run
    before it withdrawn. Of all that could hold the rung then there is only the probe.
    """
    cast = make_cast()
    board = make_small_board(cast, release, {PROBED: relevant})
    rival = make_team("Rival Lab", bystander := make_user("bystander"))
    if is_taken_back:
        before = send_run(board, rival, bystander, "weak", text_of(spread(4, 30), other="theirs"))
    else:
        send_run(board, None, cast.organiser, "bm25", text_of(spread(8, 30)))
    first = send_run(board, cast.team, cast.participant, "first", text_of(spread(24, 20)))
    if not is_taken_back:
        send_run(board, rival, bystander, "second", text_of(spread(14, 36), other="theirs"))
    probe = send_run(board, cast.team, cast.participant, "probe", text_of(spread(24, 20), on_probed="this"))
    if is_taken_back:
        void_claim(first.claim, reason="It was made with the labels.", by=cast.organiser)
        withdraw(before, by=bystander)
    probe.refresh_from_db()
    compute_results(board.pk)
    for each in board.submissions.exclude(team=None):
        tell_sender(each.pk)
    return Probed(board=board, probe=probe, prober=cast.participant, bystander=bystander)


def make_small_board(cast: Cast, release: str, relevant: Mapping[str, str]) -> Board:
    board = Board.objects.create(
        slug=SLUG,
        title="Small",
        task="Rank.",
        created_by=cast.organiser,
        release=release,
        quota=100,
        who_may_submit="anyone",
    )
    BoardRole.objects.create(board=board, user=cast.organiser, role=Role.ORGANISER)
    content = "".join(f"{query} 0 {relevant.get(query, f'rel-{query}')} 1\n" for query in QUERIES).encode()
    LabelSet.objects.create(
        board=board,
        use=LabelUse.OFFICIAL,
        name="official",
        n_queries=len(QUERIES),
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        file=ContentFile(content, name="small.txt"),
    )
    return board


def send_run(board: Board, team: Team | None, user: User, name: str, content: bytes) -> Submission:
    """Checked, submitted, scored and settled, as the worker does it."""
    upload = make_upload(board, team, user, content, file_name=f"{name}.txt")
    check_upload(upload.pk)
    upload.refresh_from_db()
    card = RunCard(name=name)
    submission = add_baseline(upload, card, by=user) if team is None else submit(upload, card, by=user)
    assert score_submission(submission.pk)
    settle_board(board.pk)
    submission.refresh_from_db()
    return submission


def walk(user: User | None) -> dict[str, str]:
    """Every page that can be reached from the board, and every file and answer of the API, as this person sees it."""
    client = Client()
    if user is not None:
        client.force_login(user)
    waiting, seen = list(STARTS), dict[str, str]()
    while waiting and len(seen) < MOST_PAGES:
        url = waiting.pop(0)
        if url not in seen:
            seen[url] = steady(client.get(url))
            waiting += [link for link in links_in(seen[url]) if link not in seen]
    return seen


def links_in(page: str) -> Iterator[str]:
    for found in re.findall(r'(?:href|src|hx-get)="(/[^"]*)"', page):
        link = found.replace("&amp;", "&")
        if not NOT_FOLLOWED.search(link):
            yield link


def steady(response: object) -> str:
    """What was answered, with its headers, without what changes with the clock or from one request to the next."""
    headers = sorted(each for each in response.headers.items() if each[0] not in OF_THE_MOMENT)  # type: ignore[attr-defined]
    streamed = getattr(response, "streaming", False)
    content = b"".join(response.streaming_content) if streamed else response.content  # type: ignore[attr-defined]
    told = steady_content(str(headers).encode())
    return f"{response.status_code}\n{told}\n{steady_content(content)}"  # type: ignore[attr-defined]


def steady_content(content: bytes) -> str:
    text = content.decode(errors="replace")
    for pattern, instead in CHANGING:
        text = pattern.sub(instead, text)
    is_pdf = content.startswith(b"%PDF")
    return "\n".join(sorted(text.splitlines())) if is_pdf else text  # its writer lists fonts in any order


def published(board: Board, folder: Path) -> dict[str, str]:
    """Every file of the copy that `toprung publish` writes, but for those that all boards have."""
    publish_board(board, folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "static" not in path.parts]
    return {path.relative_to(folder).as_posix(): steady_content(path.read_bytes()) for path in files}


def mails() -> list[str]:
    return [f"{each.to} {each.subject}\n{each.body}" for each in mail.outbox]
