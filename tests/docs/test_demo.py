"""What `make demo` builds and shows."""

from __future__ import annotations

import csv
import socket
import webbrowser
from pathlib import Path

import pytest
from demo import board, build, judge, show_page

import toprung as tr
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.audit import read_audits

DEMO = Path(__file__).parents[2] / "demo"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs of four queries, which answer at ranks that tell the queries apart."""
    (tmp_path / "small.csv").write_text("qid,A,B\n1,1,2\n2,3,4\n3,5,6\n4,0,0\n")
    monkeypatch.setattr(build, "RANKS", tmp_path / "small.csv")
    monkeypatch.setattr(build, "N_PRIVATE", 7)
    build.main(tmp_path / "demo")
    return tmp_path / "demo"


def ranks_under(labels: Path) -> list[list[int]]:
    runs = sorted((labels.parent / "runs").iterdir())
    found: list[list[int]] = tr.evaluate(labels, runs, "RR@100").first_ranks(100).values.tolist()
    return found


def test_public_queries_have_the_ranks_of_the_reconstruction(built: Path) -> None:
    assert ranks_under(built / "qrels.txt") == [[1, 2], [3, 4], [5, 6], [0, 0]]


def test_private_queries_are_rows_drawn_again(built: Path) -> None:
    private = ranks_under(built / "private.qrels")
    assert len(private) == 7
    assert {tuple(row) for row in private} <= {(1, 2), (3, 4), (5, 6), (0, 0)}


def test_new_labels_are_the_old_ones_or_second_answers_at_ranks_of_another_query(built: Path) -> None:
    labels = [line.split() for line in (built / "new.qrels").read_text().splitlines()]
    assert [query_id for query_id, *_ in labels] == ["1", "2", "3", "4"]
    assert {document[0] for _, _, document, _ in labels} <= {"D", "E"}
    assert {tuple(row) for row in ranks_under(built / "new.qrels")} <= {(1, 2), (3, 4), (5, 6), (0, 0)}


def test_a_second_answer_stands_at_its_rank_unless_the_first_is_there() -> None:
    import numpy as np

    ranks = (np.array([1, 2, 0]), np.array([3, 2, 1]))
    run = build.build_run("A", ("q1", "q2", "q3"), *ranks)
    labels = {query: {f"E{query}": 1} for query in ("q1", "q2", "q3")}
    assert tr.evaluate(labels, [run], "RR@100").first_ranks(100).values.ravel().tolist() == [3, 0, 1]


def test_what_is_built_is_not_built_again(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "RANKS", built / "nowhere.csv")
    build.main(built)


def test_every_run_has_made_up_metadata_that_says_so() -> None:
    with (DEMO / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["run"] for row in rows] == [f"R{number}" for number in range(1, 14)]
    assert {row["description"] for row in rows} == {"made up"}
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)


@pytest.mark.parametrize(
    ("environment", "is_opened"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "w"}, True),
        ({"DISPLAY": ":0", "CI": "true"}, False),
    ],
)
def test_the_page_is_opened_only_on_a_desktop(
    environment: dict[str, str],
    is_opened: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("sys.platform", "linux")
    show_page.main(tmp_path / "report.html")
    address = (tmp_path / "report.html").as_uri()
    assert opened == ([address] if is_opened else [])
    assert capsys.readouterr().out == f"{'Opened' if is_opened else 'Open it'} in a browser: {address}\n"


def test_a_desktop_without_a_browser_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    show_page.main(tmp_path / "report.html")
    assert capsys.readouterr().out.startswith("Open it in a browser: file:///")


def test_judged_queries_have_pools_votes_and_an_audit(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four queries three have an answer that is not the label first, so there is something to judge."""
    monkeypatch.setattr(judge, "AUDITED", "B")
    monkeypatch.setattr(judge, "N_QUERIES", 3)
    judge.main(built)
    effort = Effort.open(built / "judging")
    pairs = {pair for pool in read_pools(effort) for pair in pool.pairs()}
    assert len(read_pools(effort)) == 3
    assert pairs <= {each.pair for each in effort.read_judgments().rows}
    assert list(read_audits(effort)) == ["B"]
    judge.main(built)  # nothing is judged twice
    judged = [each.pair for each in Effort.open(built / "judging").read_judgments().rows]
    assert len(judged) == len(set(judged))


def test_where_its_port_is_taken_the_next_free_one_is_offered_and_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        asked = ["demo", "--port", str(port), "--files", str(tmp_path / "files"), "--data", str(tmp_path / "data")]
        monkeypatch.setattr("sys.argv", asked)
        monkeypatch.setattr(board, "is_free", lambda tried: tried > port + 2)
        with pytest.raises(SystemExit, match=rf"^Found port {port} of 127\.0\.0\.1 not to be had; .* PORT={port + 3}$"):
            board.main()
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_somebody_listens_on_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert not board.is_free(taken.getsockname()[1])
    assert board.is_free(0)
