"""What the operator of a server set: checked at the start, with a message that names the variable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from toprung.errors import InputError
from toprung.web.core.config.environment import OTHER_VARIABLES, VARIABLES, Environment

PAGE = Path(__file__).parents[3] / "docs/reference/environment.md"
KEY = {"TOPRUNG_SECRET_KEY": "k" * 40}
SECRET = "hunter2hunter2"


def read(**said: str) -> Environment:
    return Environment.read(KEY | said)


def refusal(said: Mapping[str, str]) -> str:
    with pytest.raises(InputError) as refused:
        Environment.read(KEY | said)
    return str(refused.value)


def test_nothing_has_to_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = Environment.read({})
    assert found.data_folder == tmp_path / "toprung-data"
    assert found.public_url == "http://localhost:8000"
    assert found.hosts == ("localhost", "127.0.0.1", "[::1]")
    assert not found.is_behind_tls
    assert found.mail is None
    assert (found.max_upload_bytes, found.max_unpacked_bytes) == (512 << 20, 1024 << 20)


def test_the_key_is_drawn_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first, second = (Environment.read({"TOPRUNG_DATA": str(folder)}) for _ in range(2))
    assert first.secret_key == second.secret_key
    assert len(first.secret_key) >= 32
    assert (folder / "secret-key").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in folder.iterdir()] == ["secret-key"]


def test_a_key_file_that_was_cut_short_is_said(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("short\n")
    with pytest.raises(InputError, match=r"secret-key: found 5 characters; expected a key of at least 32\. Delete"):
        Environment.read({"TOPRUNG_DATA": str(tmp_path)})


def test_nothing_is_made_where_something_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        Environment.read({"TOPRUNG_DATA": str(tmp_path / "data"), "TOPRUNG_URL": "nowhere"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://board.example.org", "board.example.org"),
        ("http://192.168.1.5:8000/", "192.168.1.5"),
        ("http://[::1]:8000", "[::1]"),
    ],
)
def test_the_public_address_is_let_in_without_its_port(url: str, host: str) -> None:
    found = read(TOPRUNG_URL=url)
    assert found.public_url == url.rstrip("/")
    assert host in found.hosts
    assert found.is_behind_tls == url.startswith("https")


@pytest.mark.parametrize(
    "url",
    [
        "board.example.org",
        "ftp://board.example.org",
        "https://",
        "https://board.example.org/boards",
        "https://board.example.org?a=b",
        "https://user:word@board.example.org",
        "http://board.example.org:99999",
        "http://board.example.org:port",
        "http://[::1",
        "http://*",
        "http://.example.org",
    ],
)
def test_another_public_address_is_said(url: str) -> None:
    assert refusal({"TOPRUNG_URL": url}) == (
        f"TOPRUNG_URL: found '{url}'; expected an address such as https://board.example.org."
    )


def test_more_hosts_are_let_in() -> None:
    found = read(TOPRUNG_HOSTS="board.local, .example.org ,,[fe80::1]")
    assert found.hosts[:3] == ("board.local", ".example.org", "[fe80::1]")


@pytest.mark.parametrize("host", ["*", "http://board.local", "board.local:8000", "board local", "::1"])
def test_another_host_is_said(host: str) -> None:
    assert refusal({"TOPRUNG_HOSTS": f"fine.example.org,{host}"}).startswith(f"TOPRUNG_HOSTS: found '{host}'; expected")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "1e3", "²", "99999999999"])
@pytest.mark.parametrize("name", ["TOPRUNG_MAX_UPLOAD_MB", "TOPRUNG_MAX_UNPACKED_MB"])
def test_a_cap_that_is_no_number_of_megabytes_is_said(name: str, text: str) -> None:
    assert refusal({name: text}) == (
        f"{name}: found '{text}'; expected a whole number of megabytes, from 1 to 1,048,576."
    )


def test_a_cap_is_read_in_megabytes() -> None:
    assert read(TOPRUNG_MAX_UPLOAD_MB="3").max_upload_bytes == 3 * 1024 * 1024


@pytest.mark.parametrize(
    ("url", "port", "speaks_tls"), [("smtp", 587, False), ("smtps", 465, True), ("smtp:2525", 2525, False)]
)
def test_a_mail_server_is_read(url: str, port: int, speaks_tls: bool) -> None:
    scheme, _, given = url.partition(":")
    found = read(TOPRUNG_MAIL_URL=f"{scheme}://me%40example.org:{SECRET}%2F@mail.example.org:{given}").mail
    assert found is not None
    assert (found.host, found.port, found.speaks_tls) == ("mail.example.org", port, speaks_tls)
    assert (found.user, found.password) == ("me@example.org", f"{SECRET}/")
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    "url",
    [
        f"imap://me:{SECRET}@mail.example.org",
        f"smtp://me:{SECRET}@mail.example.org:99999",
        f"smtp://me:{SECRET}@",
        f"smtp://me:{SECRET}@[mail",
        f"smtp://:{SECRET}@mail.example.org",
        "smtp://me@mail.example.org",
    ],
)
def test_another_mail_server_is_said_without_its_password(url: str) -> None:
    assert refusal({"TOPRUNG_MAIL_URL": url}) == (
        "TOPRUNG_MAIL_URL: found another kind of address; expected smtp://USER:PASSWORD@HOST:PORT."
    )


def test_mail_comes_from_the_board_unless_another_address_is_set() -> None:
    assert read(TOPRUNG_URL="https://board.example.org").mail_from == "toprung@board.example.org"
    assert read(TOPRUNG_MAIL_FROM="chair@example.org").mail_from == "chair@example.org"
    assert refusal({"TOPRUNG_MAIL_FROM": "chair"}).startswith("TOPRUNG_MAIL_FROM: found 'chair'; expected an address")


def test_a_key_that_is_too_short_is_said_and_not_shown() -> None:
    assert refusal({"TOPRUNG_SECRET_KEY": SECRET}) == (
        "TOPRUNG_SECRET_KEY: found 14 characters; expected at least 32, drawn at random."
    )


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.touch()
    assert refusal({"TOPRUNG_DATA": str(path)}) == (
        f"TOPRUNG_DATA: found a file at {path}; expected a folder, or nothing yet."
    )


def test_a_misspelt_name_is_said() -> None:
    message = refusal({"TOPRUNG_MAILURL": SECRET})
    assert message.startswith("TOPRUNG_MAILURL: found a name that is not known; expected some of TOPRUNG_DATA, ")
    assert message.endswith(" Did you mean TOPRUNG_MAIL_URL?")


def test_what_other_parts_of_toprung_read_is_left_alone() -> None:
    read(**dict.fromkeys(OTHER_VARIABLES, "anything"), OTHER_TOPRUNG="anything")


def test_a_variable_that_is_set_to_nothing_counts_as_not_set() -> None:
    empty = dict.fromkeys([name for name in VARIABLES if name not in KEY], " ")
    assert Environment.read(KEY | empty) == Environment.read(KEY)


def test_what_is_read_is_never_shown_with_its_key() -> None:
    assert "kkkk" not in repr(read())


def test_the_reference_has_every_variable_and_no_other() -> None:
    listed = re.findall(r"^\| `(TOPRUNG_\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert sorted(listed) == sorted([*VARIABLES, *OTHER_VARIABLES])


def test_a_signing_key_is_thirty_two_bytes_in_base64() -> None:
    key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    assert Environment.read({"TOPRUNG_SIGNING_KEY": key, "TOPRUNG_SECRET_KEY": "x" * 32}).signing_key == key
    for wrong in ("short", key[:-4], key + key, "not base64 at all, and long enough for it"):
        with pytest.raises(InputError, match="TOPRUNG_SIGNING_KEY: found something else") as refused:
            Environment.read({"TOPRUNG_SIGNING_KEY": wrong, "TOPRUNG_SECRET_KEY": "x" * 32})
        assert wrong not in str(refused.value)
