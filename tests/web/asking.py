"""Where does a line of the table lead, how is it asked as each role, and what is the answer in the table's words?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from tests.web.busy_boards import HIDDEN_FILE, OFFERED_FILE, STUDY, TOKEN_OF_MATE, BusyBoard, World
from tests.web.matrix import ANSWERS, BOARD_LINES, JUDGING_LINES, Line

LOGIN = "/accounts/login/"
NO_NUMBER = 999_999


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where to ask, and what to send when something is posted there."""

    url: str
    data: dict[str, Any] = field(default_factory=dict)


def find(world: World, busy: BusyBoard, line: Line) -> Address:
    if line.name.startswith("/"):
        return Address(url=line.name)
    return FINDERS.get(line.name, _find_page)(world, busy, line)


def ask(
    world: World,
    role: str,
    address: Address,
    method: str = "GET",
    *,
    headers: Mapping[str, str] | None = None,
    raises: bool = True,
) -> HttpResponse:
    """Nothing that is asked leaves a trace; a fault of the server is raised here, unless its page is asked for."""
    client = Client(headers=headers, raise_request_exception=raises)
    if role in world.sessions:
        client.cookies["sessionid"] = world.sessions[role]
    with undone():
        if method == "POST":
            response = client.post(address.url, _fresh(address.data))
        else:
            response = client.generic(method, address.url)
        if response.streaming:
            response.sent = b"".join(response.streaming_content)  # closes it at its end
        return response


def body_of(response: HttpResponse) -> bytes:
    """All that came, also where it came in pieces."""
    return response.sent if response.streaming else response.content


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def connection_kept() -> Iterator[None]:
    """For requests that pass the test client by: the end of one would else close the connection of the transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def say(response: HttpResponse) -> str:
    """The answer in the words of the table, or its number where the table has no word for it."""
    if response.status_code == ANSWERS["in"]:
        return "in" if response.headers["Location"].startswith(LOGIN) else "on"
    words = {number: word for word, number in ANSWERS.items()}
    return words.get(response.status_code, str(response.status_code))


def _fresh(data: dict[str, Any]) -> dict[str, Any]:
    """A file can be sent once, so it is made anew."""
    return {
        key: SimpleUploadedFile("run.txt", value) if isinstance(value, bytes) else value for key, value in data.items()
    }


# ---- where ----


def _find_page(world: World, busy: BusyBoard, line: Line) -> Address:
    """A page of the site or of a board, of which there is one."""
    arguments = [busy.board.slug] if line in BOARD_LINES else []
    return Address(url=reverse(line.name, args=arguments), data=DATA.get(line.name, {}))


def _find_ending(world: World, busy: BusyBoard, line: Line) -> Address:
    """A file of a board, by its ending."""
    return Address(url=reverse(line.name, args=[busy.board.slug, line.what]))


def _find_analysis(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse("analysis", args=[busy.board.slug, line.what]))


def _find_result(world: World, busy: BusyBoard, line: Line) -> Address:
    kind, _, ending = line.what.partition(".")
    return Address(url=reverse("export_result", kwargs={"slug": busy.board.slug, "kind": kind, "ending": ending}))


def _find_comparison(world: World, busy: BusyBoard, line: Line) -> Address:
    url = reverse("compare", args=[busy.board.slug])
    if line.what == "-":
        return Address(url=url)
    b, a = line.what.split(",")
    return Address(url=f"{url}?b={b}&a={a}", data={"b": b, "a": a})


def _find_comparison_file(world: World, busy: BusyBoard, line: Line) -> Address:
    b, a, ending = line.what.split(",")
    return Address(url=f"{reverse('compare_file', kwargs={'slug': busy.board.slug, 'ending': ending})}?b={b}&a={a}")


def _find_picture(world: World, busy: BusyBoard, line: Line) -> Address:
    kind, _, ending = line.what.partition(".")
    return Address(url=reverse(line.name, args=[busy.board.slug, kind, ending]))


def _find_analysis_picture(world: World, busy: BusyBoard, line: Line) -> Address:
    kind, _, ending = line.what.partition(".")
    return Address(url=reverse("analysis_picture", args=[busy.board.slug, kind, kind, ending]))


def _find_hook(world: World, busy: BusyBoard, line: Line) -> Address:
    """None is there."""
    return Address(url=reverse("remove_hook", args=[busy.board.slug, 1]))


def _find_comparison_picture(world: World, busy: BusyBoard, line: Line) -> Address:
    b, a, name = line.what.split(",")
    kind, _, ending = name.partition(".")
    return Address(url=f"{reverse('compare_picture', args=[busy.board.slug, kind, ending])}?b={b}&a={a}")


def _find_run(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[busy.board.slug, line.what]), data=DATA.get(line.name, {}))


def _find_run_picture(world: World, busy: BusyBoard, line: Line) -> Address:
    run, _, ending = line.what.partition(".")
    return Address(url=reverse("run_picture", args=[busy.board.slug, run, ending]))


def _find_form(world: World, busy: BusyBoard, line: Line) -> Address:
    url = reverse("submit", args=[busy.board.slug])
    if line.what == "-":
        return Address(url=url)
    data = WORDS | {"upload": busy.accepted.pk}
    return Address(url=f"{url}?upload={busy.accepted.pk}", data=data)


def _find_sending(world: World, busy: BusyBoard, line: Line) -> Address:
    team = {"kestrel": world.cast.team, "norrland": world.cast.other_team}[line.what]
    data = {"team": team.slug, "file": b"q001 Q0 d1 1 1.0 x\n"}
    return Address(url=reverse(line.name, args=[busy.board.slug]), data=data)


def _find_upload(world: World, busy: BusyBoard, line: Line) -> Address:
    known = {
        "refused": busy.refused,
        "waiting": busy.waiting,
        "accepted": busy.accepted,
        "other": busy.other_refused,
        "hidden": busy.hidden,
    }
    pk = known[line.what].pk if line.what in known else NO_NUMBER
    return Address(url=reverse("upload", args=[busy.board.slug, pk]))


def _find_team(world: World, busy: BusyBoard, line: Line) -> Address:
    slugs = {"kestrel": world.cast.team.slug, "quokka": world.hidden_team.slug, "none": "no-such-team"}
    return Address(url=reverse(line.name, args=[slugs[line.what]]))


def _find_member(world: World, busy: BusyBoard, line: Line) -> Address:
    user = {"mate": world.cast.mate, "owner": world.cast.participant}[line.what]
    member = world.cast.team.membership_set.get(user=user)
    return Address(url=reverse(line.name, args=[world.cast.team.slug, member.pk]))


def _find_invitation(world: World, busy: BusyBoard, line: Line) -> Address:
    pk = world.cast.team.invitations.get().pk
    return Address(url=reverse(line.name, args=[world.cast.team.slug, pk]))


def _find_joining(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse("join_team", args=["no-such-secret" if line.what == "none" else world.invitation]))


def _find_link(world: World, busy: BusyBoard, line: Line) -> Address:
    if line.what == "none":
        return Address(url=reverse("login_link", args=["no-such-link"]))
    return Address(url=world.login_link)


def _find_token(world: World, busy: BusyBoard, line: Line) -> Address:
    """Of the mate; a table of every address knows it by its name."""
    pk = NO_NUMBER if line.what == "none" else world.cast.mate.api_tokens.get(name=TOKEN_OF_MATE).pk
    return Address(url=reverse(line.name, args=[pk]))


def _find_labels(world: World, busy: BusyBoard, line: Line) -> Address:
    labels = busy.board.label_sets.filter(use=line.what).first()
    arguments = [busy.board.slug, NO_NUMBER if labels is None else labels.pk]
    return Address(url=reverse(line.name, args=arguments), data=DATA.get(line.name, {}))


def _find_role(world: World, busy: BusyBoard, line: Line) -> Address:
    pk = NO_NUMBER if line.what == "none" else busy.board.roles.get(user=world.viewer).pk
    return Address(url=reverse(line.name, args=[busy.board.slug, pk]), data=DATA.get(line.name, {}))


def _find_team_on_board(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[busy.board.slug, world.cast.team.slug]))


def _find_baseline(world: World, busy: BusyBoard, line: Line) -> Address:
    pk = NO_NUMBER if line.what == "none" else busy.baseline_file.pk
    return Address(url=reverse(line.name, args=[busy.board.slug, pk]), data=DATA.get(line.name, {}))


def _find_claim(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[busy.board.slug, line.what]), data=DATA[line.name])


def _find_data_file(world: World, busy: BusyBoard, line: Line) -> Address:
    names = {"offered": OFFERED_FILE, "hidden": HIDDEN_FILE}
    name = names.get(line.what, "none.tsv")
    if line.name == "data_file":
        return Address(url=reverse(line.name, args=[busy.board.slug, name]))
    file = busy.board.data_files.filter(name=name).first()
    pk = NO_NUMBER if file is None else file.pk
    return Address(url=reverse(line.name, args=[busy.board.slug, pk]), data=DATA.get(line.name, {}))


def _find_study(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[busy.board.campaigns.get(slug=STUDY).key]))


def _find_report(world: World, busy: BusyBoard, line: Line) -> Address:
    if line.name == "answer_report":
        return Address(url=reverse(line.name, args=[busy.board.slug, NO_NUMBER]))
    return Address(url=f"{reverse(line.name, args=[busy.board.slug])}?query={line.what}", data={"why": REASON})


def _find_key(world: World, busy: BusyBoard, line: Line) -> Address:
    keys = {"account_confirm_email": ["no:such:key"], "account_reset_password_from_key": ["1", "no-such-key"]}
    return Address(url=reverse(line.name, args=keys[line.name]))


def _find_announcement(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[busy.board.slug, NO_NUMBER]))


def _find_own_invitation(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=[NO_NUMBER]))


def _find_stop(world: World, busy: BusyBoard, line: Line) -> Address:
    return Address(url=reverse(line.name, args=["not-a-token"]))


def _find_campaign(world: World, busy: BusyBoard, line: Line) -> Address:
    which, *more = line.what.split(",")
    name = STUDY if which == "study" else which
    return Address(url=reverse(line.name, args=[busy.board.slug, name, *more]))


def _find_draft(world: World, busy: BusyBoard, line: Line) -> Address:
    """Nobody's: drafts of others look no different."""
    return Address(url=reverse(line.name, args=[NO_NUMBER, "labels"] if line.name == "draft_step" else [NO_NUMBER]))


FINDERS = {
    "withdraw_announcement": _find_announcement,
    "join_invited": _find_own_invitation,
    "stop_mails": _find_stop,
    "run_badge": _find_run,
    **dict.fromkeys(
        (
            *("campaign", "campaign_news", "campaign_golds", "start_campaign", "act_on_campaign", "campaign_texts"),
            *("campaign_open", "campaign_query", "campaign_assessors", "act_on_assessor", "answer_note"),
            "campaign_pay",
            *("review_labels", "download_new_labels", "judge_label", "publish_campaign", "export_judgments"),
        ),
        _find_campaign,
    ),
    "draft_step": _find_draft,
    "drop_draft": _find_draft,
    "draft_toml": _find_draft,
    **dict.fromkeys(("export", "history_file", "label_versions_picture"), _find_ending),
    "analysis": _find_analysis,
    "export_result": _find_result,
    "compare": _find_comparison,
    "compare_file": _find_comparison_file,
    **dict.fromkeys(("stability_picture", "validity_picture"), _find_picture),
    "analysis_picture": _find_analysis_picture,
    "compare_picture": _find_comparison_picture,
    "run": _find_run,
    "run_picture": _find_run_picture,
    "run_status": _find_run,
    "edit_run": _find_run,
    "withdraw_run": _find_run,
    "submit": _find_form,
    "send_file": _find_sending,
    "ask_to_take_part": _find_sending,
    "upload": _find_upload,
    "team": _find_team,
    "invite": _find_team,
    "leave_team": _find_team,
    "remove_member": _find_member,
    "make_owner": _find_member,
    "withdraw_invitation": _find_invitation,
    "join_team": _find_joining,
    "login_link": _find_link,
    "revoke_token": _find_token,
    "public_labels": _find_labels,
    "open_labels": _find_labels,
    "give_up_labels": _find_labels,
    "try_labels_again": _find_labels,
    "change_role": _find_role,
    "remove_role": _find_role,
    "give_link": _find_role,
    "invite_to_team": _find_team_on_board,
    "approve_team": _find_team_on_board,
    "accept_baseline": _find_baseline,
    "forget_baseline": _find_baseline,
    "void_claim": _find_claim,
    "remove_hook": _find_hook,
    "report_label": _find_report,
    "answer_report": _find_report,
    "data_file": _find_data_file,
    "remove_data_file": _find_data_file,
    "open_data_file": _find_data_file,
    **{line.name: _find_study for line in JUDGING_LINES},
    "account_confirm_email": _find_key,
    "account_reset_password_from_key": _find_key,
}
WORDS = {"name": "brand-new", "description": "What is new in it."}
REASON = "A team asked about this."
DATA: dict[str, dict[str, Any]] = {
    "account": {"name": "Another Name"},
    "create_team": {"name": "Oslo Search"},
    "edit_run": WORDS,
    "open_labels": {"how": "view", "queries": "", "reason": REASON},
    "people": {"email": "new@example.org", "role": "viewer"},
    "announcements": {"headline": "New labels soon", "text": "In *May*."},
    "follow": {"how": "mail"},
    "add_hook": {"address": "http://not.https.example/"},
    "change_role": {"role": "assessor"},
    "baselines": {"file": b"q001 Q0 d1 1 1.0 x\n"},
    "accept_baseline": {"name": "bm25-again"},
    "void_claim": {"reason": REASON},
    "open_data_file": {"reason": REASON},
    "change_data_terms": {"text": "Be kind."},
}
