"""``toprung labels tournament --rule, --at-least, --soft`` and ``toprung labels rules``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_the_rule_is_in_the_sentence_the_manifest_and_the_versions(judged: Command, files: Path) -> None:
    for rule in ("elimination", "votes", "strength"):
        outcome = judged("labels", "tournament", "--state", "S", "-o", "new.qrels", "--rule", rule)
        assert outcome.out.startswith(f"2 labels by {rule}")
        assert json.loads((files / "new.qrels.manifest.json").read_text())["rule"] == rule
    versions = [json.loads(line) for line in (files / "S" / "qrels.jsonl").read_text().splitlines()]
    assert [version["rule"] for version in versions] == ["elimination", "votes", "strength"]


def test_a_label_that_is_not_sure_enough_is_not_written(judged: Command, files: Path) -> None:
    # one vote on a pair: P(best) is 0.73 at λ = 1
    outcome = judged(
        "labels", "tournament", "--state", "S", "-o", "new.qrels", "--rule", "strength", "--at-least", "0.8"
    )
    assert outcome.code == 2
    assert "Found no decided query among 2" in outcome.err
    assert judged("labels", "tournament", "--state", "S", "-o", "new.qrels", "--at-least", "0.7").code == 0
    assert judged("labels", "tournament", "--state", "S", "-o", "new.qrels", "--at-least", "1").code == 2


def test_soft_labels_are_rescored_with_their_doubt(judged: Command, files: Path) -> None:
    assert judged("labels", "tournament", "--state", "S", "-o", "soft.qrels", "--soft").code == 0
    assert (files / "soft.qrels").read_text() == "q1 0 a 27\nq1 0 x 73\nq2 0 b 73\nq2 0 y 27\n"
    outcome = judged("labels", "rescore", "qrels.txt", "soft.qrels", "good.run", "poor.run", "-f", "json")
    found = json.loads(outcome.out)
    assert found["made_by"] == {"rule": "strength", "at_least": 0.0, "penalty": 1.0, "is_soft": True}
    assert found["doubt"]["n_in_doubt"] == 2
    assert sum(each["share"] for each in found["doubt"]["tops"]) == pytest.approx(1)


def test_outcomes_and_labels_tell_of_the_same_votes(pooled: Command, files: Path) -> None:
    (files / "judgments.txt").write_text("q1 a x x\nq1 a z a\nq2 y b b\nq9 m n m\n")
    pooled("labels", "import", "judgments.txt", "--state", "S")
    totals = "4 votes on 4 pairs of 3 queries, 2 of them on answers outside the pools"
    assert pooled("labels", "outcomes", "--state", "S").out.startswith(f"{totals}: 4 decided.")
    assert f"From {totals}." in pooled("labels", "tournament", "--state", "S", "-o", "new.qrels").out


def test_rules_are_compared_by_votes_put_aside(judged: Command, files: Path) -> None:
    outcome = judged("labels", "rules", "--state", "S", "--folds", "2", "-f", "json")
    rows = json.loads(outcome.out)["rules"]
    assert [row["rule"] for row in rows] == ["elimination", "votes", "strength", "strength, P(best) ≥ 0.5"]
    assert judged("labels", "rules", "--state", "S").code == 2  # three parts of two votes
