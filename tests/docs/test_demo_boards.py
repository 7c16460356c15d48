"""What was planted on the boards of `make demo` is what the library finds in their files."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from demo.boards import BOARDS, everyday
from demo.made.board import DemoBoard
from demo.made.questions import read_questions
from demo.made.ranks import draw_ranks

import toprung as tr
from toprung.analyses.leaderboard.find import leaderboard

DRAWN = [board for board in BOARDS if board.slug != "reconstruction"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.mark.parametrize("board", DRAWN, ids=lambda board: board.slug)
def test_what_was_planted_is_found(board: DemoBoard, folder: Path) -> None:
    files, known = board.build_in(folder), board.known()
    described = tomllib.loads(board.described.read_text())
    labels = files / next(each["file"] for each in described["labels"] if each["use"] == "official")
    runs = {path.name.partition(".")[0]: path for path in (files / "runs").iterdir()}
    found = leaderboard(labels, runs, described["official_measure"], dates=known.dates(), baselines=known.baselines())
    proved = sorted((row for row in found.rows if row.proved_since), key=lambda row: row.date)
    assert {row.run for row in found.top_group} == board.planted.may_be_best
    assert [row.run for row in proved] == [*board.planted.proved]


def test_the_reconstruction_tells_the_story_that_the_demo_checks() -> None:
    board = next(board for board in BOARDS if board.slug == "reconstruction")
    known = board.known()
    ranks = tr.read_ranks(Path(everyday.__file__).parents[1] / "lin2021_reconstruction.csv.gz", cutoff=100)
    found = leaderboard(ranks, dates=known.dates())
    proved = sorted((row for row in found.rows if row.proved_since), key=lambda row: row.date)
    assert {row.run for row in found.top_group} == board.planted.may_be_best
    assert [row.run for row in proved] == [*board.planted.proved]


def test_runs_agree_on_what_is_hard_as_real_ones_do() -> None:
    """Of every two runs, whether they answer a query correlates by 0.3 to 0.9."""
    answered = draw_ranks([run.skill for run in everyday.RUNS], len(read_questions()), seed=everyday.SEED) > 0
    phi = np.corrcoef(answered.T)
    found = [phi[a, b] for a, b in combinations(range(len(everyday.RUNS)), 2)]
    assert min(found) >= 0.3
    assert max(found) <= 0.9


def test_every_question_is_asked_once_and_has_an_answer_of_its_own() -> None:
    questions = read_questions()
    assert len({each.text for each in questions}) == len({each.answers[0] for each in questions}) == len(questions)
    assert sum(each.is_written for each in questions) >= 30
    assert all(3 <= len(set(each.answers)) <= 6 for each in questions if each.is_written)


def test_each_run_puts_the_label_where_it_was_drawn(folder: Path) -> None:
    board = next(board for board in BOARDS if board.slug == "everyday")
    files = board.build_in(folder)
    drawn = draw_ranks([run.skill for run in everyday.RUNS], len(read_questions()), seed=everyday.SEED)
    for column in (0, len(everyday.RUNS) - 1):
        run = files / "runs" / f"{everyday.RUNS[column].name}.txt.zst"
        found = tr.evaluate(files / "qrels.txt", [run], "RR@100").first_ranks(100)
        by_query = dict(zip(found.query_ids, found.values[:, 0].tolist(), strict=True))
        assert by_query == {f"q{number}": rank for number, rank in enumerate(drawn[:, column].tolist(), start=1)}
