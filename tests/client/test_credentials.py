"""Who am I on which server?"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from toprung.client.credentials import (
    check_token,
    credentials_file,
    find_server,
    find_token,
    forget_token,
    keep_token,
    read_tokens,
)
from toprung.errors import InputError

HERE, THERE = "https://here.example.org", "https://there.example.org"


def test_tokens_are_kept_by_server_for_their_owner_alone(own_folder: Path) -> None:
    old_mask = os.umask(0)
    try:
        assert keep_token(HERE, "trt_1") == own_folder / "credentials.json"
        keep_token(THERE, "trt_2")
    finally:
        os.umask(old_mask)
    assert read_tokens() == {HERE: "trt_1", THERE: "trt_2"}
    assert stat.S_IMODE(credentials_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(own_folder.stat().st_mode) == 0o700
    assert [path.name for path in own_folder.iterdir()] == ["credentials.json"]


def test_a_new_token_takes_the_place_of_the_old_one_and_logging_out_takes_it_away() -> None:
    keep_token(HERE, "trt_1")
    keep_token(HERE, "trt_2")
    assert find_token(HERE) == "trt_2"
    assert forget_token(HERE)
    assert not forget_token(HERE)
    assert find_token(HERE) is None


def test_what_cannot_be_written_leaves_what_was_there(monkeypatch: pytest.MonkeyPatch, own_folder: Path) -> None:
    keep_token(HERE, "trt_1")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        keep_token(THERE, "trt_2")
    assert read_tokens() == {HERE: "trt_1"}
    assert [path.name for path in own_folder.iterdir()] == ["credentials.json"]


def test_a_file_that_others_can_read_is_refused() -> None:
    keep_token(HERE, "trt_1").chmod(0o644)
    with pytest.raises(InputError, match="found a file that others can read; expected yours alone: chmod 600"):
        find_token(HERE)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"servers": []}', '{"servers": {"https://a.org": 3}}', "{}"])
def test_a_file_of_something_else_is_refused(own_folder: Path, content: str) -> None:
    own_folder.mkdir(parents=True)
    path = own_folder / "credentials.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(InputError, match="expected what toprung login writes"):
        read_tokens()


def test_the_environment_stands_in_for_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_token(HERE, "trt_kept")
    monkeypatch.setenv("TOPRUNG_TOKEN", " trt_set\n")
    monkeypatch.setenv("TOPRUNG_SERVER", HERE)
    assert find_token(HERE) == "trt_set"


@pytest.mark.parametrize("server", ["", "  "])
def test_a_token_that_is_set_without_its_server_is_sent_nowhere(monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    monkeypatch.setenv("TOPRUNG_TOKEN", "trt_set")
    monkeypatch.setenv("TOPRUNG_SERVER", server)
    with pytest.raises(InputError, match="Found TOPRUNG_TOKEN and no TOPRUNG_SERVER; expected both"):
        find_token(HERE)


def test_a_token_that_is_set_with_a_server_goes_to_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_token(THERE, "trt_kept")
    monkeypatch.setenv("TOPRUNG_TOKEN", "trt_set")
    monkeypatch.setenv("TOPRUNG_SERVER", f"{HERE}/")
    assert (find_token(HERE), find_token(THERE), find_token("https://else.org")) == ("trt_set", "trt_kept", None)


def test_the_server_is_the_one_named_or_set_or_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="Found no server; expected one"):
        find_server("")
    keep_token(HERE, "trt_1")
    assert find_server("") == HERE
    keep_token(THERE, "trt_2")
    with pytest.raises(InputError, match=f"Found {HERE}, {THERE} and none of them named"):
        find_server("")
    monkeypatch.setenv("TOPRUNG_SERVER", THERE)
    assert find_server("") == THERE
    assert find_server(HERE) == HERE


@pytest.mark.parametrize("text", ["", "  ", "two words", "trt_é", "trt_\x1b", "x" * 501])
def test_what_no_token_is_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(InputError, match=r"^Token: found no token; expected one such as trt_…, and nothing else\.$"):
        check_token(text, "Token")


def test_the_folder_is_that_of_the_person_where_none_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for said in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CONFIG_HOME", said)
        assert credentials_file() == tmp_path / ".config/toprung/credentials.json"


def test_the_file_is_json_that_a_person_can_read() -> None:
    path = keep_token(HERE, "trt_1")
    assert json.loads(path.read_text()) == {"servers": {HERE: "trt_1"}}
