"""Which pages does the demo have, and who may see them? Every name of the URLconf, with what its address needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from toprung.boards.engine.rules import Rule
from toprung.web.core.access.texts import browsed_sets
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission, Upload

ORGANISER, PARTICIPANT, OTHER_TEAM, ASSESSOR, VIEWER = "organiser", "participant", "other team", "assessor", "viewer"
ANYBODY = "anybody"
ROLES = (ANYBODY, ORGANISER, PARTICIPANT, OTHER_TEAM, ASSESSOR, VIEWER)

OK, LEADS_ON, TO_LOGIN, NO_TOKEN, NOT_THERE, NOT_TO_BE_READ = 200, 301, 302, 401, 404, 405

type Statuses = dict[str, int]
EVERYONE: Statuses = dict.fromkeys(ROLES, OK)
MOVED: Statuses = dict.fromkeys(ROLES, LEADS_ON)
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
    yield from _judging_visits()
    yield from _campaign_visits(board)
    yield from _api_visits(board)
    for name, pattern in _walk(get_resolver().url_patterns):
        if name.startswith(ALLAUTH):
            parts = {part: ALLAUTH_PARTS[part] for part in pattern.pattern.regex.groupindex}
            yield Visit(name=name, path=reverse(name, kwargs=parts), statuses=None)


def _public_visits(board: Board) -> Iterator[Visit]:
    for name in ("health", "readiness", "home", "boards", "methods", "api_page"):
        yield _visit(name)
    yield _visit("metrics", statuses=NOBODY)  # without a token there is no such page
    for name in ("leaderboard", "embed", "history", "stability"):
        yield _visit(name, board.slug)
    for name in ("feed", "badge", "card"):
        yield _visit(name, board.slug)
    for query in ("?order=score", "?q=team+A", "?per=best", "?page=2"):
        yield _visit("leaderboard", board.slug, query=query)
    for name in ("compare", "about", "label_versions", "label_versions_json", "data", "data_sums"):
        yield _visit(name, board.slug)
    for name in ("timeline", "timeline_json", "claims", "claims_json", "significance"):
        yield _visit(name, board.slug, statuses=MOVED)
    yield _visit("compare", board.slug, query=_pair(board))
    yield from _file_visits(board)
    for run in board.submissions.all():
        yield _visit("run", board.slug, run.run_id)
        yield _visit("run_badge", board.slug, run.run_id)
    for team in Team.objects.filter(submissions__board=board).distinct():
        yield _visit("team", team.slug)
    for labels in board.label_sets.all():
        yield _visit("public_labels", board.slug, labels.pk, statuses=NOBODY if labels.is_hidden else EVERYONE)
    for name in ("analysis", "api_analysis"):
        yield _visit(name, board.slug, "agreement", statuses=NOBODY)  # which is not registered for boards
    has_public = bool(browsed_sets(board))
    yield _visit("queries", board.slug, statuses=EVERYONE if has_public else NOBODY)
    yield _visit("queries_csv", board.slug, query="?b=R99&a=R98", statuses=NOBODY)
    for file in board.data_files.all():
        yield _visit("data_file", board.slug, file.name, statuses=NOBODY if file.is_hidden else EVERYONE)
    yield _visit("data_file", board.slug, "none.tsv", statuses=NOBODY)
    yield _visit("login_link", "not-a-link", statuses=NOBODY)
    yield _visit("join_team", "not-an-invitation", statuses=NOBODY)
    yield _visit("stop_mails", "not-a-token", statuses=NOBODY)


def _file_visits(board: Board) -> Iterator[Visit]:
    """What is taken along."""
    yield _visit("export", board.slug, "pdf")
    for ending in ("csv", "json", "tex"):
        yield _visit("export", board.slug, ending)
        for kind in ("stability", "significance"):
            yield _visit("export_result", board.slug, kind, ending)
    for ending in ("csv", "json", "tex", "svg", "png", "pdf"):
        yield _visit("history_file", board.slug, ending)
    for ending in ("json", "tex"):
        yield _visit("compare_file", board.slug, ending, query=_pair(board))
    for kind in ("places", "shares", "pairs", "all"):
        yield _visit("stability_picture", board.slug, kind, "svg")
    of_versions = EVERYONE if board.label_sets.filter(use=LabelUse.OFFICIAL).count() > 1 else NOBODY
    yield _visit("label_versions_picture", board.slug, "svg", statuses=of_versions)
    yield _visit("run_picture", board.slug, _last_passed(board).submission.run_id, "svg", statuses=of_versions)
    yield _visit("analysis_picture", board.slug, "agreement", "none", "svg", statuses=NOBODY)
    yield _visit("validity_picture", board.slug, "none", "svg", statuses=NOBODY | {ANYBODY: TO_LOGIN})
    if board.rule == Rule.NO_HARM:
        yield _visit("compare_picture", board.slug, "miss-cost", "svg", query=_pair(board))


def _member_visits(board: Board) -> Iterator[Visit]:
    """Of who is signed in, and of the team whose run came last."""
    for name in ("account", "delete_account", "create_team", "tokens", "me"):
        yield _visit(name, statuses=SIGNED_IN)
    for name in ("submit", "follow"):
        yield _visit(name, board.slug, statuses=SIGNED_IN)

    yield _visit("report_label", board.slug, query="?query=none", statuses=NOBODY | {ANYBODY: TO_LOGIN})
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
    for name, parts in (("draft_step", (1, "labels")), ("draft_toml", (1,)), ("final_bundle", (board.slug,))):
        yield _visit(name, *parts, statuses=NOBODY | {ANYBODY: TO_LOGIN})  # nobody has a draft, and the board goes on
    for name in ("final", "final_json"):
        yield _visit(name, board.slug, statuses=NOBODY)
    for name in ("organise", "end_board", "validity", "validity_json", "audit", "export_audit", "labels", "policy"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    for name in ("people", "baselines", "announcements"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    for name in ("import_runs", "publish_labels", "preparation", "organise_data", "reported_labels"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    yield _visit("open_data_file", board.slug, 999_999, statuses=NOBODY | {ANYBODY: TO_LOGIN})
    for labels in board.label_sets.exclude(use=LabelUse.DEV):
        yield _visit("open_labels", board.slug, labels.pk, statuses=ORGANISERS)
    for claim in board.claims.all():
        yield _visit("void_claim", board.slug, claim.number, statuses=ORGANISERS)


def _changing_visits(board: Board) -> Iterator[Visit]:
    role, upload, team = board.roles.first(), Upload.objects.filter(board=board).first(), _team_of(_last_run(board))
    assert role is not None  # noqa: S101 - for the type checker: a board has its organiser, and this one its files
    assert upload is not None  # noqa: S101 - the same
    yield _visit("add_hook", board.slug, statuses=TO_POST)
    yield _visit("remove_hook", board.slug, 999_999, statuses=TO_POST)
    for name in ("remove_data_file", "answer_report"):
        yield _visit(name, board.slug, 1, statuses=TO_POST)
    for name in ("accept_data_terms", "change_data_terms"):
        yield _visit(name, board.slug, statuses=TO_POST)
    for name in ("send_file", "ask_to_take_part", "check_audit", "forget_history"):
        yield _visit(name, board.slug, statuses=TO_POST)
    for name in ("change_role", "remove_role", "give_link"):
        yield _visit(name, board.slug, role.pk, statuses=TO_POST)
    for name in ("accept_baseline", "forget_baseline"):
        yield _visit(name, board.slug, upload.pk, statuses=TO_POST)
    for name in ("give_up_labels", "try_labels_again"):
        yield _visit(name, board.slug, 1, statuses=TO_POST)
    for name in ("invite_to_team", "approve_team"):
        yield _visit(name, board.slug, team.slug, statuses=TO_POST)
    yield _visit("make_owner", team.slug, team.membership_set.get().pk, statuses=TO_POST)
    yield _visit("withdraw_invitation", team.slug, 1, statuses=TO_POST)
    yield _visit("withdraw_announcement", board.slug, 1, statuses=TO_POST)
    for name in ("revoke_token", "join_invited", "drop_draft"):
        yield _visit(name, 1, statuses=TO_POST)


def _judging_visits() -> Iterator[Visit]:
    """Of a study that is not there; the pages of one that is are walked through by tests of judging."""
    steps = ("consent", "guidelines", "ready", "pairs", "task", "hand_in", "exit", "thanks", "delete", "tell")
    for name in ("judging", *(f"judging_{step}" for step in steps)):
        yield _visit(name, "no-such-study", statuses=NOBODY)
    for step in ("answer", "undo", "more"):
        yield _visit(f"judging_{step}", "no-such-study", statuses=dict.fromkeys(ROLES, NOT_TO_BE_READ))


def _campaign_visits(board: Board) -> Iterator[Visit]:
    """The pages of organisers who have answers judged; of a campaign that is not there where a board has none."""
    for name in ("campaigns", "new_campaign"):
        yield _visit(name, board.slug, statuses=ORGANISERS)
    yield _visit("spare_minutes", board.slug, statuses=ORGANISERS | {ASSESSOR: OK})
    campaign = board.campaigns.first()
    slug, statuses = ("none", NOBODY | {ANYBODY: TO_LOGIN}) if campaign is None else (campaign.slug, ORGANISERS)
    query = "q" if campaign is None else min(campaign.reports.get(kind="queries").content)
    shown = ("news", "golds", "texts", "open", "assessors", "pay")
    for name in ("campaign", *(f"campaign_{each}" for each in shown), "review_labels"):
        yield _visit(name, board.slug, slug, statuses=statuses)
    yield _visit("campaign_query", board.slug, slug, query, statuses=statuses)
    yield _visit("download_new_labels", board.slug, slug, statuses=statuses)
    yield _visit("export_judgments", board.slug, slug, "jsonl", statuses=statuses)
    for name in ("start_campaign", "act_on_campaign", "judge_label", "publish_campaign"):
        yield _visit(name, board.slug, slug, statuses=TO_POST)
    yield _visit("act_on_assessor", board.slug, slug, "a-01", statuses=TO_POST)
    yield _visit("answer_note", board.slug, slug, 1, statuses=TO_POST)


def _api_visits(board: Board) -> Iterator[Visit]:
    """Whoever is signed in is nobody there: it is for programs, and they bring a token."""
    nobody, no_reading = dict.fromkeys(ROLES, NO_TOKEN), dict.fromkeys(ROLES, NOT_TO_BE_READ)
    pair = _pair(board)
    run = _last_run(board).run_id
    for name in ("api_openapi", "api_boards"):
        yield _visit(name)
    for name in ("board", "standings", "labels", "claims", "timeline", "stability", "significance", "data"):
        yield _visit(f"api_{name}", board.slug)
    yield _visit("api_compare", board.slug, query=pair)
    yield _visit("api_ask_to_compare", board.slug, query=pair)  # at the same address
    yield _visit("api_run", board.slug, run)
    yield _visit("api_edit_run", board.slug, run)  # the same
    yield _visit("api_me", statuses=nobody)
    for name in ("quota", "runs", "submit", "audit", "validity", "campaigns"):
        yield _visit(f"api_{name}", board.slug, statuses=nobody)
    yield _visit("api_campaign", board.slug, "none", statuses=nobody)
    yield _visit("api_campaign_export", board.slug, "none", "jsonl", statuses=nobody)
    yield _visit("api_studies", board.slug, statuses=nobody)
    yield _visit("api_desk", board.slug, "none", statuses=nobody)
    for name in ("consent", "trial", "take_task", "start_task", "answer", "undo", "hand_in", "leave"):
        yield _visit(f"api_{name}", board.slug, "none", statuses=no_reading)
    for name in ("file", "send_piece"):
        yield _visit(f"api_{name}", board.slug, "1", statuses=nobody)
    yield _visit("api_data_file", board.slug, "none.tsv", statuses=NOBODY)
    yield _visit("api_accept_terms", board.slug, statuses=no_reading)
    yield _visit("api_start_file", board.slug, statuses=no_reading)
    yield _visit("api_withdraw_run", board.slug, run, statuses=no_reading)


def _visit(name: str, *parts: object, query: str = "", statuses: Statuses = EVERYONE) -> Visit:
    return Visit(name=name, path=reverse(name, args=parts) + query, statuses=statuses)


def _pair(board: Board) -> str:
    """Of the claim that passed last: that is compared in advance, and shown to everyone."""
    claim = _last_passed(board)
    return f"?b={claim.submission.run_id}&a={claim.holder.run_id}"


def _last_passed(board: Board) -> Claim:
    return board.claims.filter(passed=True).select_related("submission", "holder").latest("number")


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
