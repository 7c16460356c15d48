"""``toprung login`` and ``toprung logout``."""

from __future__ import annotations

import os
import pty
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.client.board_server import TOKEN, BoardServer

Command = Callable[..., Any]


def test_a_token_is_tried_kept_and_never_shown(server: BoardServer, real_toprung: Command, own_folder: Path) -> None:
    outcome = real_toprung("login", f"{server.url}/account/", "--token-stdin", stdin=f"{TOKEN}\n")
    path = own_folder / "credentials.json"
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        f"You are Participant at {server.url}, in Kestrel Lab (kestrel-lab). The token may read and submit, until "
        f"2027-02-01.\nThe token is kept in {path}.\n"
    )
    assert TOKEN in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_of_one_team_says_so(server: BoardServer, real_toprung: Command) -> None:
    server.me |= {"team": "kestrel-lab", "scopes": [], "teams": []}
    outcome = real_toprung("login", server.url, "--token-stdin", stdin=TOKEN)
    assert "for the team kestrel-lab alone. The token may do nothing" in outcome.out


def test_a_token_that_does_not_work_is_not_kept(server: BoardServer, real_toprung: Command, own_folder: Path) -> None:
    outcome = real_toprung("login", server.url, "--token-stdin", stdin="trt_wrong\n")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Found a token that does not work" in outcome.err
    assert "trt_wrong" not in outcome.err
    assert not own_folder.exists()


def test_a_token_is_not_even_asked_for_where_it_could_be_read_on_the_way(real_toprung: Command) -> None:
    outcome = real_toprung("login", "http://board.example.org", "--token-stdin", stdin=TOKEN)
    assert (outcome.code, "anybody on the way could read the token" in outcome.err) == (2, True)


def test_without_a_terminal_the_token_has_to_come_from_somewhere(server: BoardServer, real_toprung: Command) -> None:
    outcome = real_toprung("login", server.url)
    assert (outcome.code, "expected --token-stdin, or the token in TOPRUNG_TOKEN" in outcome.err) == (2, True)
    outcome = real_toprung("login", server.url, "--token-stdin")
    assert (outcome.code, "Token: found no token" in outcome.err) == (2, True)


def test_at_a_terminal_it_is_pasted_and_not_shown(server: BoardServer, own_folder: Path) -> None:
    keyboard, slave = pty.openpty()
    process = subprocess.Popen(
        [Path(sys.executable).with_name("toprung"), "login", server.url],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
        text=True,
        start_new_session=True,
    )
    os.close(slave)
    shown = ""
    while "Token" not in shown.partition("not shown.")[2]:
        shown += os.read(keyboard, 1000).decode()
    os.write(keyboard, f"{TOKEN}\n".encode())
    said, _ = process.communicate(timeout=300)
    os.close(keyboard)
    assert f"Make a token at {server.url}/account/tokens/" in shown
    assert "You are Participant" in said
    assert TOKEN in (own_folder / "credentials.json").read_text()


def test_logging_out_forgets_the_only_token_or_the_one_named(
    server: BoardServer, toprung: Command, own_folder: Path
) -> None:
    from toprung.client.credentials import keep_token, read_tokens

    nothing = toprung("logout")
    assert (nothing.code, "Found no token; expected one server: name it." in nothing.err) == (2, True)
    keep_token(server.url, TOKEN)
    outcome = toprung("logout")
    assert (outcome.code, read_tokens()) == (0, {})
    assert outcome.out.endswith(f"revoke it at {server.url}/account/tokens/\n")
    keep_token("https://a.org", TOKEN)
    keep_token("https://b.org", TOKEN)
    several = toprung("logout")
    assert (several.code, "Found tokens for https://a.org, https://b.org" in several.err) == (2, True)
    assert toprung("logout", "https://a.org/").code == 0
    assert list(read_tokens()) == ["https://b.org"]
    assert toprung("logout", "https://a.org").code == 2
