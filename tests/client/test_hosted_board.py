"""What stands on a hosted board?"""

from __future__ import annotations

from typing import Any

import pytest
from tests.client.board_server import SLUG, BoardServer

from toprung.client.connection import Connection
from toprung.client.hosted_board import read_hosted_board
from toprung.report.render import OutputFormat, render


def row(label: str, **fields: Any) -> dict[str, Any]:
    return {
        "place": 1,
        "run": label,
        "name": "dense",
        "team": "Kestrel Lab",
        "score": 0.25,
        "score_low": 0.2,
        "score_high": 0.3,
        "rank_low": 1,
        "rank_high": 2,
        "top_group": True,
        "proved_since": "2026-11-01",
        "answered": 0.5,
        "mean_esl": 3.14159,
        "status": "last proved gain",
        "date": "2026-11-01",
        "tags": ["a", "b"],
        "is_baseline": False,
        "url": "https://a.org/b/web-docs/runs/R1/",
        **fields,
    }


FIGURES = ("place", "score", "score_low", "score_high", "rank_low", "rank_high", "top_group", "mean_esl")
NOT_SHOWN = dict.fromkeys(FIGURES)


def test_the_sentence_stands_first_and_then_the_table(server: BoardServer, connection: Connection) -> None:
    server.standings = [row("R1"), row("R2", name="", team="Anonymous", status="", **NOT_SHOWN)]
    server.board["decimals"] = 3
    server.board["url"] = "https://a.org/b/web-docs/"
    server.because = "R1 was the last to prove an improvement when it came, on 2026-11-01."
    assert str(read_hosted_board(connection, SLUG, limit=50)) == (
        "R1 does best, beyond chance. R1 was the last to prove an improvement when it came, on 2026-11-01.\n"
        "\n"
        "place  rank  may be best  run       team         date        RR@100             95%  answered  ESL  status\n"
        "    1   1–2  yes          R1 dense  Kestrel Lab  2026-11-01   0.250  0.200 to 0.300     50.0%  3.1  "
        "last proved gain\n"
        "          –               R2        Anonymous    2026-11-01       –                     50.0%\n"
        "\n"
        "Labels v1.\n"
        "https://a.org/b/web-docs/"
    )


@pytest.mark.parametrize(("decimals", "score"), [(4, "0.2500"), (2, "0.25"), (3, "0.250"), (None, "0.2500")])
def test_scores_have_the_decimals_of_the_board(
    server: BoardServer, connection: Connection, decimals: int | None, score: str
) -> None:
    server.standings = [row("R1")]
    server.board["decimals"] = decimals
    assert [each[6] for each in read_hosted_board(connection, SLUG, limit=50).table.rows] == [score]


def test_rows_are_asked_for_page_by_page_and_no_more_than_wanted(server: BoardServer, connection: Connection) -> None:
    server.standings = [row(f"R{number}") for number in range(250)]
    found = read_hosted_board(connection, SLUG, labels=2, limit=230)
    assert [each.text("run") for each in found.rows] == [f"R{number}" for number in range(230)]
    asked = [each.query for each in server.asked if each.path.endswith("/standings")]
    assert [(each["limit"], each["offset"]) for each in asked] == [("100", "0"), ("100", "100"), ("30", "200")]
    assert {each["labels"] for each in asked} == {"2"}
    assert "230 of 250 runs are shown." in found.notes


def test_a_board_without_runs_says_so(server: BoardServer, connection: Connection) -> None:
    server.board["sentence"] = ""
    assert read_hosted_board(connection, SLUG, limit=50).sentence == "Nothing is on this board yet."
    for output_format in OutputFormat:
        assert render(read_hosted_board(connection, SLUG, limit=50), output_format)


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_names_of_others_do_no_harm_in_any_format(
    server: BoardServer, connection: Connection, output_format: OutputFormat
) -> None:
    server.standings = [row("R1", name="a\x1b[2J\u202eb\nc", team="=cmd|' /C calc'!A0", url="javascript:\x07")]
    written = render(read_hosted_board(connection, SLUG, limit=50), output_format)
    assert not any(character in written for character in "\x1b\x07\u202e")
    if output_format is OutputFormat.CSV:
        assert "'=cmd" in written
    if output_format is OutputFormat.TABLE:
        assert "R1 a[U+001B][2J[U+202E]b c" in written


def test_it_is_a_frame_too(server: BoardServer, connection: Connection) -> None:
    server.standings = [row("R1"), row("R2", **NOT_SHOWN)]
    frame = read_hosted_board(connection, SLUG, limit=50).to_frame()
    assert frame["run"].to_list() == ["R1", "R2"]
    assert frame["score"].to_list() == [0.25, None]
    assert frame["tags"].to_list() == ["a; b", "a; b"]
