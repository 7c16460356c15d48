"""Which pages does the demo have, and who may see them? Every name of the URLconf, with what its address needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission, Upload

ORGANISER, PARTICIPANT, OTHER_TEAM, ASSESSOR, VIEWER = "organiser", "participant", "other team", "assessor", "viewer"
ANYBODY = "anybody"
ROLES = (ANYBODY, ORGANISER, PARTICIPANT, OTHER_TEAM, ASSESSOR, VIEWER)

OK, TO_LOGIN, NO_TOKEN, NOT_THERE, NOT_TO_BE_READ = 200, 302, 401, 404, 405

type Statuses = dict[str, int]
EVERYONE: Statuses = dict.fromkeys(ROLES, OK)
SIGNED_IN: Statuses = EVERYONE | {ANYBODY: TO_LOGIN}
ORGANISERS: Statuses = dict.fromkeys(ROLES, NOT_THERE) | {ANYBODY: TO_LOGIN, ORGANISER: OK}
TEAM: Statuses = dict.fromkeys(ROLES, NOT_THERE) | {ANYBODY: TO_LOGIN, PARTICIPANT: OK}
TEAM_AND_ORGANISERS: Statuses = TEAM | {ORGANISER: OK}
NOBODY: Statuses = dict.fromkeys(ROLES, NOT_THERE)
TO_POST: Statuses = dict.fromkeys(ROLES, NOT_TO_BE_READ) | {ANYBODY: TO_LOGIN}
"""Addresses that change something: looking at them does nothing."""

ALLAUTH = ("account_", "mfa_", "socialaccount_")
"""Pages of allauth, which send people on as their account needs it: no more is asked than that they do not fail."""
ALLAUTH_PARTS = {"key": "none", "uidb36": "1"}


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One address, and the status that each role is to get; None where any that is no failure will do."""

    name: str
    path: str
    statuses: Statuses | None = field(default_factory=lambda: EVERYONE)


def names_of_pages() -> set[str]:
    return {name for name, _ in _walk(get_resolver().url_patterns)}


def all_visits(board: Board) -> Iterator[Visit]:
    yield from _public_visits(board)
    yield from _member_visits(board)
    yield from _organiser_visits(board)
    yield from _changing_visits(board)
    yield from _api_visits(board)
    for name, pattern in _walk(get_resolver().url_patterns):
        if name.startswith(ALLAUTH):
            parts = {part: ALLAUTH_PARTS[part] for part in pattern.pattern.regex.groupindex}
            yield Visit(name=name, path=reverse(name, kwargs=parts), statuses=None)


def _public_visits(board: Board) -> Iterator[Visit]:
    for name in ("health", "readiness", "home", "boards", "methods"):
        yield _visit(name)
    yield _visit("metrics", statuses=NOBODY)  # without a token there is no such page
    for name in ("leaderboard", "embed", "timeline", "timeline_json", "claims", "claims_json", "stability"):
        yield _visit(name, board.slug)
    for query in ("?order=score", "?q=team+A", "?per=best", "?page=2"):
        yield _visit("leaderboard", board.slug, query=query)
    for name in ("significance", "compare", "about", "label_versions", "label_versions_json"):
        yield _visit(name, board.slug)
    pair = f"?b=R13&a={board.holder.run_id if board.holder else 'R1'}"
    yield _visit("compare", board.slug, query=pair)
    for ending in ("json", "tex"):
        yield _visit("compare_file", board.slug, ending, query=pair)
    for ending in ("csv", "json", "tex"):
        yield _visit("export", board.slug, ending)
        for kind in ("stability", "significance"):
            yield _visit("export_result", board.slug, kind, ending)
    for run in board.submissions.all():
        yield _visit("run", board.slug, run.run_id)
    for team in Team.objects.filter(submissions__board=board).distinct():
        yield _visit("team", team.slug)
    for labels in board.label_sets.all():
        yield _visit("public_labels", board.slug, labels.pk, statuses=NOBODY if labels.is_hidden else EVERYONE)
    for name in ("analysis", "api_analysis"):
        yield _visit(name, board.slug, "agreement", statuses=NOBODY)  # which is not registered for boards
    yield _visit("login_link", "not-a-link", statuses=NOBODY)
    yield _visit("join_team", "not-an-invitation", statuses=NOBODY)


def _member_visits(board: Board) -> Iterator[Visit]:
    """Of who is signed in, and of the team whose run came last."""
    for name in ("account", "delete_account", "create_team", "tokens"):
        yield _visit(name, statuses=SIGNED_IN)
    yield _visit("submit", board.slug, statuses=SIGNED_IN)
    run = _last_run(board)
    for name in ("edit_run", "withdraw_run"):
        yield _visit(name, board.slug, run.run_id, statuses=TEAM)
    yield _visit("run_status", board.slug, run.run_id, statuses=TEAM_AND_ORGANISERS)
    yield _visit("upload", board.slug, run.upload.pk, statuses=TEAM_AND_ORGANISERS)
    team = _team_of(run)
    for name in ("invite", "leave_team"):
        yield _visit(name, team.slug, statuses=TEAM)
    yield _visit("remove_member", team.slug, team.membership_set.get().pk, statuses=NOBODY | {ANYBODY: TO_LOGIN})


def _organiser_visits(board: Board) -> Iterator[Visit]:
    yield _visit("create_board", statuses=ORGANISERS)
    for name in ("validity", "validity_json", "audit", "export_audit", "labels", "policy", "people", "baselines"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    for name in ("import_runs", "publish_labels", "preparation"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    for labels in board.label_sets.exclude(use=LabelUse.DEV):
        yield _visit("open_labels", board.slug, labels.pk, statuses=ORGANISERS)
    for claim in board.claims.all():
        yield _visit("void_claim", board.slug, claim.number, statuses=ORGANISERS)


def _changing_visits(board: Board) -> Iterator[Visit]:
    role, upload, team = board.roles.first(), Upload.objects.filter(board=board).first(), _team_of(_last_run(board))
    assert role is not None  # noqa: S101 - for the type checker: a board has its organiser, and this one its files
    assert upload is not None  # noqa: S101 - the same
    for name in ("send_file", "ask_to_take_part", "check_audit", "forget_history"):
        yield _visit(name, board.slug, statuses=TO_POST)
    for name in ("change_role", "remove_role", "give_link"):
        yield _visit(name, board.slug, role.pk, statuses=TO_POST)
    for name in ("accept_baseline", "forget_baseline"):
        yield _visit(name, board.slug, upload.pk, statuses=TO_POST)
    for name in ("give_up_labels", "try_labels_again"):
        yield _visit(name, board.slug, 1, statuses=TO_POST)
    yield _visit("invite_to_team", board.slug, team.slug, statuses=TO_POST)
    yield _visit("make_owner", team.slug, team.membership_set.get().pk, statuses=TO_POST)
    yield _visit("withdraw_invitation", team.slug, 1, statuses=TO_POST)
    yield _visit("revoke_token", 1, statuses=TO_POST)


def _api_visits(board: Board) -> Iterator[Visit]:
    """Whoever is signed in is nobody there: it is for programs, and they bring a token."""
    nobody, no_reading = dict.fromkeys(ROLES, NO_TOKEN), dict.fromkeys(ROLES, NOT_TO_BE_READ)
    pair = f"?b=R13&a={board.holder.run_id if board.holder else 'R1'}"
    run = _last_run(board).run_id
    for name in ("api_openapi", "api_boards"):
        yield _visit(name)
    for name in ("board", "standings", "labels", "claims", "timeline", "stability", "significance"):
        yield _visit(f"api_{name}", board.slug)
    yield _visit("api_compare", board.slug, query=pair)
    yield _visit("api_ask_to_compare", board.slug, query=pair)  # at the same address
    yield _visit("api_run", board.slug, run)
    yield _visit("api_edit_run", board.slug, run)  # the same
    yield _visit("api_me", statuses=nobody)
    for name in ("quota", "runs", "submit", "audit", "validity"):
        yield _visit(f"api_{name}", board.slug, statuses=nobody)
    for name in ("file", "send_piece"):
        yield _visit(f"api_{name}", board.slug, "1", statuses=nobody)
    yield _visit("api_start_file", board.slug, statuses=no_reading)
    yield _visit("api_withdraw_run", board.slug, run, statuses=no_reading)


def _visit(name: str, *parts: object, query: str = "", statuses: Statuses = EVERYONE) -> Visit:
    return Visit(name=name, path=reverse(name, args=parts) + query, statuses=statuses)


def _last_run(board: Board) -> Submission:
    return board.submissions.select_related("upload", "team").latest("number")


def _team_of(run: Submission) -> Team:
    assert run.team is not None  # noqa: S101 - for the type checker: the demo's runs have teams
    return run.team


def _walk(patterns: list[URLPattern | URLResolver]) -> Iterator[tuple[str, URLPattern]]:
    """Every pattern that has a name; allauth has a few without, which lead to others."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name, pattern
