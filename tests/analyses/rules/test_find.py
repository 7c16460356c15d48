"""Which rule's labels win votes that it has not seen?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from toprung.analyses.rules.find import compare_rules
from toprung.analyses.rules.rows import RuleComparison
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.errors import InputError
from toprung.labels.pools.pool import pools_of_judgments


def made_votes(n_queries: int, *, tie_rate: float = 0.0, seed: int = 0) -> Judgments:
    """Of four answers the first is asked about most, and is not the best."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in range(n_queries):
        strengths = dict(zip("abcd", (0.3, 2.5, -0.2, -0.4), strict=True))
        for one, other, times in (("a", "c", 5), ("a", "d", 5), ("b", "c", 2), ("a", "b", 2), ("b", "d", 2)):
            for _ in range(times):
                lead = strengths[one] - strengths[other]
                is_tie = rng.random() < tie_rate * np.exp(-abs(lead))
                side = Choice.LEFT if rng.random() < expit(lead) else Choice.RIGHT
                rows.append(
                    Judgment(
                        judgment_id=f"{len(rows)}",
                        query_id=f"q{query}",
                        left=one,
                        right=other,
                        choice=Choice.TIE if is_tie else side,
                    )
                )
    return Judgments.of(rows)


@pytest.fixture(scope="module")
def found() -> RuleComparison:
    judgments = made_votes(40)
    return compare_rules(judgments, pools_of_judgments(judgments))


def test_strength_is_not_misled_by_what_was_shown_most(found: RuleComparison) -> None:
    by_rule = {row.rule: row for row in found.rules}
    assert by_rule["votes"].high < 0
    assert by_rule["strength"].share == pytest.approx(0.88, abs=0.08)
    assert by_rule["strength"].difference == 0
    assert found.sentence.startswith(f"Labels by strength win {100 * by_rule['strength'].share:.1f}% of ")
    assert f"by votes {-100 * by_rule['votes'].difference:.1f} points fewer" in found.sentence


def test_each_vote_is_held_out_once_and_counts_where_a_label_is_in_it(found: RuleComparison) -> None:
    assert (found.n_votes, found.n_queries, found.folds) == (640, 40, 3)
    assert all(row.won <= row.n <= 640 for row in found.rules)
    assert {row.n for row in found.models} == {640}


def test_the_same_seed_gives_the_same_figures() -> None:
    judgments = made_votes(12)
    pools = pools_of_judgments(judgments)
    assert compare_rules(judgments, pools, seed=4) == compare_rules(judgments, pools, seed=4)
    assert compare_rules(judgments, pools, seed=4) != compare_rules(judgments, pools, seed=5)


def test_few_queries_are_too_few_to_compare_rules() -> None:
    judgments = made_votes(5)
    said = compare_rules(judgments, pools_of_judgments(judgments)).sentence
    assert said.endswith("80 votes of 5 queries are too few to say whether another rule's win more.")


def test_ties_are_modelled_where_there_are_some(found: RuleComparison) -> None:
    assert [row.model for row in found.models] == ["plain"]
    judgments = made_votes(40, tie_rate=0.8)
    models = {row.model: row for row in compare_rules(judgments, pools_of_judgments(judgments)).models}
    assert list(models) == ["plain", "ties"]
    assert models["ties"].low > 0  # near answers tie more often, which a constant share does not know


def test_more_parts_than_votes_are_refused() -> None:
    judgments = made_votes(1)
    with pytest.raises(InputError, match="folds: found 99 for 16 votes"):
        compare_rules(judgments, pools_of_judgments(judgments), folds=99)


@pytest.mark.slow
def test_rules_on_the_votes_of_cast(shared_data: Path) -> None:
    judgments = read_judgments(shared_data / "prefs" / "TREC-CAsT-2019.local.pref").judgments
    rows = {row.rule: row for row in compare_rules(judgments, pools_of_judgments(judgments)).rules}
    # judged in rounds of winners, who were asked about most: no rule is clearly better there
    for rule in ("elimination", "votes"):
        assert rows[rule].low < 0 < rows[rule].high
    assert rows["strength"].share == pytest.approx(0.878, abs=0.03)
