"""Is the assessor awake?"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from toprung.data.judgments import Pair
from toprung.errors import FormatError, InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.tasks.gold_drawer import GoldDrawer
from toprung.labels.tasks.golds import Gold, draw_golds, read_golds


def golds_of(n: int) -> list[Gold]:
    return [Gold(f"g{i}", "good", "bad") for i in range(n)]


def drawer_of(golds: list[Gold]) -> GoldDrawer:
    return GoldDrawer(golds, np.random.default_rng(1))


def test_a_file_of_three_columns_is_read(tmp_path: Path) -> None:
    (tmp_path / "golds.txt").write_text("q1 d1 d9\n\nq2\td2\td8\r\n")
    assert read_golds(tmp_path / "golds.txt") == [Gold("q1", "d1", "d9"), Gold("q2", "d2", "d8")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 d1\n", "line 1"),
        ("q1 d1 d2\nq2 d1 d1\n", "line 2: found Found 'd1' as the good and the bad answer"),
        ("\n", "found no golds"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "golds.txt").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_golds(tmp_path / "golds.txt")


def test_drawn_golds_hold_the_label_against_an_answer_that_is_not_in_the_pool() -> None:
    pools = [Pool(query_id=f"q{i}", items=(f"d{i}", "common"), label=f"d{i}") for i in range(20)]
    pools.append(Pool(query_id="without", items=("x", "y")))
    found = draw_golds(pools, seed=3)
    assert [gold.query_id for gold in found] == sorted(f"q{i}" for i in range(20))
    for gold in found:
        assert gold.good == gold.query_id.replace("q", "d")
        assert gold.bad not in (gold.good, "common")


def test_the_same_seed_draws_the_same_golds_whatever_the_order_of_pools() -> None:
    pools = [Pool(query_id=f"q{i}", items=(f"d{i}",), label=f"d{i}") for i in range(20)]
    assert draw_golds(pools, seed=3) == draw_golds(pools[::-1], seed=3)
    assert draw_golds(pools, seed=3) != draw_golds(pools, seed=4)


def test_a_single_query_gives_no_gold() -> None:
    assert draw_golds([Pool(query_id="q1", items=("d1",), label="d1")]) == []


def test_every_gold_is_drawn_as_often_as_the_others() -> None:
    drawer = drawer_of(golds_of(7))
    drawn = [gold.query_id for _ in range(70) for gold in drawer.draw(3, queries=())]
    assert {drawn.count(f"g{i}") for i in range(7)} <= {29, 30, 31}


def test_a_gold_of_a_query_in_the_task_waits_for_another_task() -> None:
    drawer = drawer_of(golds_of(4))
    assert {gold.query_id for gold in drawer.draw(3, queries={"g2"})} == {"g0", "g1", "g3"}
    assert "g2" in {gold.query_id for gold in drawer.draw(1, queries={"g0", "g1", "g3"})}


def test_golds_to_avoid_are_taken_only_if_there_are_no_others() -> None:
    avoid = {Pair.of("g0", "good", "bad"), Pair.of("g1", "good", "bad")}
    assert {gold.query_id for gold in drawer_of(golds_of(5)).draw(3, queries=(), avoid=avoid)} == {"g2", "g3", "g4"}
    assert len(drawer_of(golds_of(3)).draw(3, queries=(), avoid=avoid)) == 3


def test_too_few_golds_are_refused() -> None:
    with pytest.raises(InputError, match=r"Found 2 golds for a task.*expected 3"):
        drawer_of(golds_of(3)).draw(3, queries={"g1"})


def test_two_golds_of_one_query_are_not_in_one_task() -> None:
    golds = [*golds_of(3), Gold("g0", "good", "other")]
    for _ in range(10):
        queries = [gold.query_id for gold in drawer_of(golds).draw(3, queries=())]
        assert sorted(queries) == ["g0", "g1", "g2"]


def test_no_label_is_drawn_as_the_bad_one_twice_while_others_are_left() -> None:
    pools = [Pool(query_id=f"q{i:02d}", items=(f"d{i:02d}",), label=f"d{i:02d}") for i in range(40)]
    for seed in range(5):
        uses = Counter(gold.bad for gold in draw_golds(pools, seed=seed))
        assert sum(uses.values()) == 40
        assert max(uses.values()) <= 2  # the last query may find only its own label left
        assert len(uses) >= 39


@pytest.mark.parametrize("wrong", [{"query_id": 5, "good": "a", "bad": "b"}, {"query_id": "q", "good": "a"}])
def test_a_gold_edited_by_hand_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="which is no gold"):
        Gold.from_record(wrong)
