"""A webhook: who may add one, what it is called with, that it reaches nothing inside, and that it ends by itself."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import itertools
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.utils import timezone
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.net.test_request import make_certificate
from tests.web.cast import Cast, make_board
from tests.web.people.test_following_a_board import signed_in, verify
from tests.web.real_board import PATIENCE
from tests.web.runs import settled

from toprung.web.core.models.hooks import Hook
from toprung.web.services.following import hook_calls, hooks
from toprung.web.services.following.announce import announce
from toprung.web.services.following.hook_calls import GIVEN_UP, MOST_FAILURES, HookNotReachedError, call_hook
from toprung.web.services.following.hooks import MOST_HOOKS, HookRefusedError, add_hook, secret_of
from toprung.web.services.results.compute import refresh_results

FOLLOW, ADD = "/b/web-docs/follow/", "/b/web-docs/follow/hooks/"
ADDRESS = "https://example.org/hook?key=1"


class Receiver(HTTPServer):
    """A program of somebody's, with what it was sent and what it answers."""

    answer = 200
    leads_to = ""
    body: Iterable[bytes] = ()
    n_sent = 0
    """Pieces of the body."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.certificate, key = make_certificate(folder, "127.0.0.1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.server_port}/hook?key=1"

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever called has gone away."""


class _Answering(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, dict(self.headers), body))
        self.send_response(self.server.answer)
        if self.server.leads_to:
            self.send_header("Location", self.server.leads_to)
        self.end_headers()
        for piece in self.server.body:
            self.wfile.write(piece)
            self.server.n_sent += 1

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def receiver(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """On this machine, which the operator allows here, with a certificate that is trusted here."""
    server = Receiver(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    allowed = (ip_network("127.0.0.0/8"),)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, hook_networks=allowed)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def owner(cast: Cast) -> Cast:
    verify(cast.participant)
    return cast


def happen(cast: Cast) -> None:
    """Claim 1 passes, and a run is new among those that may be best."""
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "better", 1)
    OxTask.objects.all().delete()
    refresh_results(cast.board.pk)


def test_it_is_called_with_what_followers_are_mailed_signed_and_once(owner: Cast, receiver: Receiver) -> None:
    hook, secret = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    announce(owner.board, "Dev labels are fixed", "See *about*.", by=owner.organiser)
    run_tasks(raise_failures=True)
    events = [event for _, _, body in receiver.heard for event in json.loads(body)["events"]]
    assert {event["event"].partition("-")[0] for event in events} == {"claim", "top", "announcement"}
    assert len({event["event"] for event in events}) == len(events)
    (claim,) = (event for event in events if event["event"] == "claim-1")
    assert claim["title"] == "better proved an improvement over first"
    assert claim["address"].endswith("/b/web-docs/runs/R2/")
    for path, headers, body in receiver.heard:
        assert path == "/hook?key=1"
        at, _, made = headers["Toprung-Signature"].removeprefix("t=").partition(",v1=")
        assert hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest() == made
    heard = len(receiver.heard)
    call_hook(hook.pk)
    assert len(receiver.heard) == heard, "nothing is new"


def test_what_does_not_answer_is_tried_again_then_switched_off_and_its_owner_told(
    owner: Cast, receiver: Receiver, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    receiver.answer = 500
    for _ in range(MOST_FAILURES - 1):
        with pytest.raises(HookNotReachedError, match=r"^500$"):
            call_hook(hook.pk)
    receiver.answer = 200
    call_hook(hook.pk)
    hook.refresh_from_db()
    assert (hook.failures, hook.last_answer, hook.off_at) == (0, "200", None)
    announce(owner.board, "Dev labels are fixed", "", by=owner.organiser)
    receiver.answer = 404
    for _ in range(MOST_FAILURES - 1):
        with pytest.raises(HookNotReachedError):
            call_hook(hook.pk)
    assert mailoutbox == []
    call_hook(hook.pk)
    (notice,) = mailoutbox
    assert notice.to == [owner.participant.email]
    assert "15 times in a row without success; the last time: 404." in notice.body
    heard = len(receiver.heard)
    call_hook(hook.pk)
    assert len(receiver.heard) == heard
    page = signed_in(owner.participant).get(FOLLOW).content.decode()
    assert "switched off" in page


def test_no_redirect_is_followed(owner: Cast, receiver: Receiver) -> None:
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    receiver.answer, receiver.leads_to = 307, f"https://127.0.0.1:{receiver.server_port}/elsewhere"
    with pytest.raises(HookNotReachedError, match=r"^307$"):
        call_hook(hook.pk)
    assert [path for path, _, _ in receiver.heard] == ["/hook?key=1"]


def test_what_a_killed_worker_had_begun_to_tell_is_told_by_the_next(
    owner: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)

    def die(*_: object) -> NoReturn:
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(hook_calls, "_call", die)
        with pytest.raises(SystemExit):
            call_hook(hook.pk)
    call_hook(hook.pk)
    assert receiver.heard == [], "another worker may be at it"
    begun = hook.calls.all()
    begun.update(at=timezone.now() - GIVEN_UP)
    events = {each.event for each in begun}
    call_hook(hook.pk)
    (told,) = receiver.heard
    assert {each["event"] for each in json.loads(told[2])["events"]} == events
    begun.update(at=timezone.now() - GIVEN_UP)
    call_hook(hook.pk)
    assert len(receiver.heard) == 1


def test_one_machine_is_called_so_often_in_an_hour_whoever_named_it(
    owner: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook_calls, "MOST_CALLS", 2)
    verify(owner.mate)
    people = (owner.participant, owner.mate)
    added = [add_hook(owner.board, user, f"{receiver.address}&n={n}")[0] for user in people for n in range(2)]
    happen(owner)
    for hook in added[:2]:
        call_hook(hook.pk)
    for hook in added[2:]:
        with pytest.raises(HookNotReachedError, match=r"^put off$"):
            call_hook(hook.pk)
    assert len(receiver.heard) == 2
    added[2].refresh_from_db()
    assert (added[2].failures, added[2].last_answer) == (0, ""), "that is not its fault"
    monkeypatch.setattr(hook_calls, "MOST_CALLS", 3)
    cache.clear()
    call_hook(added[2].pk)
    assert len(receiver.heard) == 3, "what was put off is told later"


def test_a_board_has_so_many_whoever_adds_them(owner: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "MOST_ON_BOARD", 2)
    verify(owner.mate)
    add_hook(owner.board, owner.mate, "https://example.org/1")
    add_hook(owner.board, owner.participant, "https://example.org/2")
    with pytest.raises(HookRefusedError, match="Found 2 webhooks on this board"):
        add_hook(owner.board, owner.participant, "https://example.org/3")
    add_hook(make_board("another", owner.organiser), owner.participant, "https://example.org/3")


def test_what_stands_inside_is_not_reached_and_looks_like_what_is_not_there(
    owner: Cast, receiver: Receiver, settings: Settings
) -> None:
    inside, _ = add_hook(owner.board, owner.participant, receiver.address)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        nobody = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        closed, _ = add_hook(owner.board, owner.participant, nobody)
        happen(owner)
        with pytest.raises(HookNotReachedError, match=r"^no answer$"):
            call_hook(closed.pk)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, hook_networks=())
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(inside.pk)
    assert receiver.heard == []


def drip(pieces: int) -> Iterator[bytes]:
    for _ in range(pieces):
        time.sleep(0.02)
        yield b" "


def test_a_call_takes_ten_seconds_at_most_however_its_answer_drips(
    owner: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hook_calls.SECONDS == 10
    monkeypatch.setattr(hook_calls, "SECONDS", 0.5)
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    receiver.body = drip(250)
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(hook.pk)
    assert receiver.n_sent < 125


def test_a_name_that_is_not_found_in_time_is_no_answer(
    owner: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = threading.Event()
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    look_up = socket.getaddrinfo
    monkeypatch.setattr(hook_calls, "SECONDS", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *of, **how: found.wait() and look_up(*of, **how))
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(hook.pk)
    found.set()
    assert receiver.heard == []


def test_of_an_answer_64_kilobytes_are_read(owner: Cast, receiver: Receiver) -> None:
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    receiver.body = [b" " * 65_537]
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(hook.pk)
    receiver.body = [b" " * 65_536]
    call_hook(hook.pk)
    announce(owner.board, "Dev labels are fixed", "", by=owner.organiser)
    receiver.body = itertools.repeat(b" " * 65_536)  # ends when the caller is gone
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(hook.pk)


def hang_up(listener: socket.socket) -> None:
    """On the first who calls."""
    called, _ = listener.accept()
    called.close()


def test_a_name_that_leads_inside_when_it_is_looked_up_again_leads_to_what_was_looked_at(
    owner: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What calls itself a public server, and names this machine to who asks once more."""
    looked_at = ("127.0.0.2", "127.0.0.1")
    allowed = (ip_network("127.0.0.2/32"),)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, hook_networks=allowed)
    look_up, asked = socket.getaddrinfo, []

    def answer(host: str, *rest: Any, **how: Any) -> Any:
        if host == "rebinds.example":
            asked.append(host)
            host = looked_at[min(len(asked), 2) - 1]
        return look_up(host, *rest, **how)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with socket.create_server((looked_at[0], 0)) as outside:
        port = outside.getsockname()[1]
        with socket.create_server((looked_at[1], port)) as inside:
            outside.settimeout(PATIENCE)
            inside.setblocking(False)
            thread = threading.Thread(target=hang_up, args=[outside])
            thread.start()
            hook, _ = add_hook(owner.board, owner.participant, f"https://rebinds.example:{port}/")
            happen(owner)
            with pytest.raises(HookNotReachedError, match=r"^no answer$"):
                call_hook(hook.pk)
            with pytest.raises(BlockingIOError):
                inside.accept()
            thread.join()
    assert asked == ["rebinds.example"]


def test_a_certificate_that_nobody_trusts_is_no_answer(
    owner: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    with pytest.raises(HookNotReachedError, match=r"^no answer$"):
        call_hook(hook.pk)
    assert receiver.heard == []


def test_who_may_not_see_the_board_any_more_is_not_called(owner: Cast, receiver: Receiver) -> None:
    hook, _ = add_hook(owner.board, owner.participant, receiver.address)
    happen(owner)
    owner.board.is_public = False
    owner.board.save(update_fields=["is_public"])
    call_hook(hook.pk)
    assert receiver.heard == []


def test_only_a_verified_address_may_have_one(cast: Cast) -> None:
    with pytest.raises(HookRefusedError, match="not verified"):
        add_hook(cast.board, cast.participant, ADDRESS)
    client = signed_in(cast.participant)
    assert client.post(ADD, {"address": ADDRESS}).status_code == 422
    assert "for accounts with a verified address" in client.get(FOLLOW).content.decode()
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("http://example.org/", "ftp://example.org/", "//example.org/", "example.org", "https://", "https:///x"),
        *("https://me:word@example.org/", "https://example.org/#x", "https://example.org:0/", "https://a b/"),
        *("https://example.org:99999/", "https://ex\nample.org/", "https://ünder.example/", f"https://{'a' * 500}.org"),
    ],
)
def test_an_address_has_one_form(owner: Cast, address: str) -> None:
    with pytest.raises(HookRefusedError):
        add_hook(owner.board, owner.participant, address)


def test_the_secret_is_shown_once_and_made_of_more_than_is_stored(owner: Cast, settings: Settings) -> None:
    client = signed_in(owner.participant)
    page = client.post(ADD, {"address": ADDRESS}).content.decode()
    hook = Hook.objects.get()
    secret = secret_of(hook)
    assert len(secret) == 64
    assert secret in page
    assert secret not in client.get(FOLLOW).content.decode()
    assert hook.seed not in page
    settings.SECRET_KEY = "another" * 8
    assert secret_of(hook) != secret


def test_a_person_has_few_and_removes_only_their_own(owner: Cast) -> None:
    client = signed_in(owner.participant)
    other = make_board("another", owner.organiser)
    for number in range(MOST_HOOKS):
        add_hook(owner.board if number % 2 else other, owner.participant, f"https://example.org/{number}")
    assert f"Found {MOST_HOOKS} webhooks of yours" in client.post(ADD, {"address": ADDRESS}).content.decode()
    first = Hook.objects.filter(board=owner.board).earliest("pk")
    assert signed_in(owner.mate).post(f"{ADD}{first.pk}/remove/").status_code == 404
    assert client.post(f"{ADD}{first.pk}/remove/").status_code == 302
    assert not Hook.objects.filter(pk=first.pk).exists()
    owner.participant.forget()
    assert not Hook.objects.exists()
