"""Which server and which board are meant?"""

from __future__ import annotations

import pytest

from toprung.client.address import BoardName, check_label, read_board, read_server
from toprung.errors import InputError


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("https://board.example.org", "https://board.example.org"),
        ("HTTPS://Board.Example.org/", "https://board.example.org"),
        ("https://board.example.org:443/b/x/?a=b#c", "https://board.example.org"),
        ("https://board.example.org:8443", "https://board.example.org:8443"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_server_is_written_in_one_way(text: str, server: str) -> None:
    assert read_server(text) == server


@pytest.mark.parametrize(
    "text",
    [
        *("board.example.org", "ftp://a.org", "https://", "https://a.org:x", "https://[::1", "file:///etc/passwd", ""),
        *("https://a b.org", "https://ä.org", "https://a.org\n"),
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"expected an address such as https://board\.example\.org"):
        read_server(text)


@pytest.mark.parametrize("text", ["https://me:secret@a.org", "https://secret@a.org/b/x/"])
def test_a_password_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(InputError, match="Found a name or a password in the address") as refused:
        read_server(text)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("page", ["", "claims/", "runs/R3/", "?order=score", "#top"])
def test_every_page_of_a_board_names_it(page: str) -> None:
    assert read_board(f"https://a.org/b/web-docs/{page}") == BoardName(slug="web-docs", server="https://a.org")


def test_a_board_may_be_named_by_its_last_part() -> None:
    assert read_board("web-docs_2") == BoardName(slug="web-docs_2", server="")


@pytest.mark.parametrize("text", ["web docs", "a/b", "../me", "", "x" * 101, "\x1b[2J"])
def test_what_is_no_slug_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected the last part of its address, or all of it") as refused:
        read_board(text)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["https://a.org", "https://a.org/boards/", "https://a.org/b//", "https://a.org/b/../x/"]
)
def test_an_address_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected the address of a board"):
        read_board(text)


def test_a_run_is_called_by_its_label() -> None:
    assert (check_label("r32"), check_label("B1")) == ("R32", "B1")
    for text in ("", "32", "R", "R32/withdraw", "../me"):
        with pytest.raises(InputError, match="such as R32"):
            check_label(text)
