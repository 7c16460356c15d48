"""Whole leaderboards: what must hold of them, the figures of STATISTICS, and the same result whoever does the work."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toprung.analyses.simulate import RELEASES, Simulation, count_steps, simulate
from toprung.analyses.simulate_boards import Setting, draw_board
from toprung.analyses.simulate_crowns import Life, make_rules
from toprung.analyses.simulate_figures import Mean, Share, summarise_attacks, summarise_lives
from toprung.data.formats.matrix_files import read_ranks, read_scores
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat, render
from toprung.stats.attack import Inflation
from toprung.stats.board_model import ms_marco_like
from toprung.stats.online import PowerLawGamma, QuadraticGamma
from toprung.stats.release import FullRelease, Ladder
from toprung.workers import Workers

RECONSTRUCTION = Path(__file__).parents[2] / "demo" / "lin2021_reconstruction.csv.gz"
SMALL: dict[str, Any] = {"queries": 60, "submissions": 12, "boards": 25, "attack": 40, "attackers": 3}


@pytest.fixture(scope="module")
def small() -> Simulation:
    return simulate(**SMALL)


def setting(**changed: Any) -> Setting:
    chosen = {
        "queries": 50,
        "submissions": 10,
        "improvements": 3,
        "gains": (0.02, 0.05),
        "follow": 0.5,
        "boards": 1,
        "attack": 0,
        "attackers": 2,
        "alpha": 0.05,
        "seed": 0,
    }
    return Setting(**{**chosen, **changed})


class TestBoards:
    def test_improvements_are_better_than_all_before_and_the_rest_is_not(self) -> None:
        for seed in range(20):
            board = draw_board(ms_marco_like(), setting(), np.random.default_rng(seed))
            best = np.maximum.accumulate(board.qualities)
            rises = 1 + np.flatnonzero(np.diff(best) > 0)
            assert tuple(rises.tolist()) == board.improvements
            assert sorted(np.diff(best)[rises - 1].round(9).tolist()) == [0.02, 0.02, 0.05]
            others = [each for each in range(10) if each not in board.improvements]
            assert all(board.qualities[each] in (best[each], best[0]) for each in others)

    def test_who_follows_is_as_good_as_the_best(self) -> None:
        rng = np.random.default_rng(1)
        all_follow = draw_board(ms_marco_like(), setting(follow=1.0), rng).qualities
        assert (np.diff(all_follow) >= 0).all()
        nobody = draw_board(ms_marco_like(), setting(follow=0.0), rng)
        assert (nobody.qualities > nobody.qualities[0]).sum() == 3

    def test_scores_are_those_of_the_ranks(self) -> None:
        board = draw_board(ms_marco_like(), setting(), np.random.default_rng(2))
        assert board.ranks is not None
        assert board.scores[board.ranks == 0].max(initial=0) == 0
        assert board.scores[board.ranks > 0] == pytest.approx(1 / board.ranks[board.ranks > 0])
        assert board.means == pytest.approx(board.scores.mean(axis=1))


class TestFigures:
    def test_lives_add_up(self) -> None:
        rules = make_rules(["no_harm"], [QuadraticGamma()], alpha=0.05)

        def life(false: int, waits: tuple[float, ...], level: float, regret: float) -> tuple[Life]:
            return (Life(crowns=3, false_crowns=false, waits=waits, last_level=level, regret=regret),)

        lives = [life(0, (0.0, math.inf), 0.01, 0.0), life(2, (4.0, 2.0), 0.03, 0.02), life(1, (), math.nan, 0.01)]
        (found,) = summarise_lives(rules, lives)
        assert (found.false.count, found.false.n, found.false_per_board, found.crowns) == (2, 3, 1.0, 3.0)
        assert (found.improvements, found.missed, found.wait) == (4, 0.25, 2.0)
        assert (found.last_level, found.regret) == (pytest.approx(0.02), pytest.approx(0.01))

    def test_more_than_half_missed_is_never(self) -> None:
        rules = make_rules(["score"], [QuadraticGamma()], alpha=0.05)
        lives = [
            (Life(crowns=0, false_crowns=0, waits=(0.0, math.inf, math.inf), last_level=math.nan, regret=0.0),),
        ]
        (found,) = summarise_lives(rules, lives)
        assert math.isinf(found.wait)
        assert math.isnan(found.last_level)

    def test_a_release_is_judged_by_the_stronger_attack(self) -> None:
        def gained(public: float) -> Inflation:
            return Inflation(public=public, hidden=public / 2, answers=10)

        attacked = [
            [{"vote": gained(0.1), "climb": gained(0.3)}],
            [{"vote": gained(0.4), "climb": gained(0.5)}],
        ]
        (found,) = summarise_attacks([FullRelease()], attacked)
        assert (found.attack, found.public.estimate, found.largest) == ("climb", pytest.approx(0.4), 0.5)
        assert (found.hidden.estimate, found.answers) == (pytest.approx(0.2), 10)

    def test_intervals(self) -> None:
        # Wilson: z²/(n + z²) is the upper end at 0 of n. The t quantile for two degrees of freedom is 4.302653.
        assert Share.of(0, 10).high == pytest.approx(1.959964**2 / (10 + 1.959964**2), abs=1e-6)
        mean = Mean.of([1.0, 2.0, 3.0])
        assert (mean.low, mean.high) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))


class TestTheSameWhoeverWorks:
    @pytest.mark.parametrize("workers", [Workers(count=2), Workers(count=2, backend="threading")])
    def test_workers_change_nothing(self, small: Simulation, workers: Workers) -> None:
        assert simulate(**SMALL, workers=workers).to_dict() == small.to_dict()

    def test_another_seed_gives_other_boards(self, small: Simulation) -> None:
        assert simulate(**SMALL, seed=1).to_dict()["rules"] != small.to_dict()["rules"]

    def test_a_rule_meets_the_same_boards_whatever_else_is_compared(self, small: Simulation) -> None:
        alone = simulate(**{**SMALL, "attack": 0}, rules=["no_harm"], gammas=[QuadraticGamma()])
        assert alone.rules[0] == small.rules[2]
        assert alone.releases == ()

    def test_a_release_meets_the_same_team_whatever_else_is_compared(self, small: Simulation) -> None:
        alone = simulate(**SMALL, rules=["score"], releases=[Ladder()])
        assert alone.releases[0] == small.releases[2]

    def test_progress_is_told_for_each_piece(self) -> None:
        told: list[str] = []
        simulate(**SMALL, on_progress=told.append)
        assert len(told) == count_steps(boards=25, attack=40, attackers=3) == 6


class TestShown:
    def test_every_format_can_be_written(self, small: Simulation) -> None:
        for output_format in OutputFormat:
            assert render(small, output_format).strip()
        said = json.loads(render(small, OutputFormat.JSON))
        assert len(said["rules"]) == 7
        assert [each["policy"] for each in said["releases"]] == [
            "full",
            "3 digits",
            "Ladder, step 0.01",
            "Ladder without a step",
        ]
        assert said["provenance"]["seed"] == 0
        latex = render(small, OutputFormat.LATEX)
        assert latex.count(r"\begin{tabular}") == 2
        assert latex.partition(r"\midrule")[2].isascii()

    def test_a_row_for_each_rule_and_each_release(self, small: Simulation) -> None:
        frame = small.to_frame()
        assert frame["kind"].to_list() == ["rule"] * 7 + ["release"] * len(RELEASES)
        assert frame["inflation"].null_count() == 7
        assert frame["false_crown_share"].null_count() == len(RELEASES)

    def test_what_nothing_better_cannot_show_is_not_shown(self) -> None:
        found = simulate(**{**SMALL, "attack": 0}, improvements=0)
        assert found.table.header == ("rule", "gamma", "false crowns (95%)", "per board", "last level")
        assert found.sentence.startswith("With 12 submissions of which none is truly better, a run that is no better ")
        assert "add improvements to see what a rule costs" in str(found)

    def test_the_sentence_sets_rules_and_releases_side_by_side(self, small: Simulation) -> None:
        score, fallback = small.rules[0], small.rules[2]
        assert small.sentence.startswith(
            "With 12 submissions of which 2 are truly better, a run that is no better is crowned on "
            f"{100 * score.false.estimate:.1f}% of 25 boards by highest score and on "
            f"{100 * fallback.false.estimate:.1f}% by no harm with fallback, which miss "
            f"{100 * score.missed:.1f}% and {100 * fallback.missed:.1f}% of the improvements; 40 adaptive runs lift "
            f"a public score by {small.releases[0].public.estimate:.3f} under full release"
        )

    def test_lines_fit_a_screen(self, small: Simulation) -> None:
        lines = str(simulate(**SMALL, gammas=[PowerLawGamma(exponent=1.5)])).splitlines() + str(small).splitlines()
        assert max(len(line) for line in lines if not line.startswith("With ")) <= 120


class TestPilot:
    def test_ranks_of_real_runs_are_taken(self) -> None:
        pilot = read_ranks(RECONSTRUCTION, cutoff=100)
        found = simulate(**{**SMALL, "attack": 0}, pilot=pilot)
        assert found.model.mean == pytest.approx(pilot.reciprocal().values.mean())
        assert found.model.missed == pytest.approx((pilot.values == 0).mean())
        assert found.provenance["pilot_digest"] == pilot.digest
        assert any("consistent with rows not aligned by query id" in note for note in found.notes)

    def test_scores_leave_the_t_test(self, shared_data: Path) -> None:
        pilot = read_scores(shared_data / "score-matrices" / "adhoc8_ap.csv", measure="AP")
        found = simulate(**SMALL, pilot=pilot)
        assert found.model.mean == pytest.approx(pilot.values.mean(), abs=0.002)
        assert [row[0] for row in found.table.rows] == [
            "highest score",
            "paired t, uncorrected",
            *["paired t, fallback"] * 3,
            "paired t, spending",
        ]

    def test_where_lower_is_better_a_gain_is_less(self) -> None:
        values = np.random.default_rng(1).integers(1, 20, size=(40, 3)).astype(np.float64)
        pilot = ScoreTable(
            query_ids=tuple(f"q{each}" for each in range(40)), runs=("a", "b", "c"), values=values, measure="ESL@20"
        )
        found = simulate(**{**SMALL, "attack": 0}, gains=(1.0,), pilot=pilot)
        assert found.model.mean == pytest.approx(-values.mean())
        assert f"mean ESL@20 {values.mean():.3f}" in str(found)

    def test_one_run_and_missing_values_are_said(self) -> None:
        values = np.append(np.linspace(0, 1, 19), np.nan)[:, None]
        pilot = ScoreTable(
            query_ids=tuple(f"q{each}" for each in range(20)), runs=("a",), values=values, measure="score"
        )
        notes = simulate(**{**SMALL, "attack": 0}, pilot=pilot).notes
        assert "Pilot: one run says nothing of how runs correlate; taken as on MS MARCO, 0.6." in notes
        assert "Pilot: 1 of 20 values are missing and were left out." in notes

    def test_a_pilot_of_few_queries_is_refused(self) -> None:
        pilot = FirstRanks(query_ids=("a", "b"), runs=("x",), values=np.array([[1], [2]], np.int32), cutoff=10)
        with pytest.raises(InputError, match="pilot: found 2 queries; expected at least 10"):
            simulate(pilot=pilot)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"queries": 9}, "queries: found 9; expected at least 10"),
        ({"submissions": 1}, "submissions: found 1; expected at least 2"),
        ({"boards": 0}, "boards: found 0"),
        ({"improvements": -1}, "improvements: found -1"),
        ({"submissions": 5, "improvements": 5}, "improvements: found 5 among 5 submissions; expected fewer"),
        ({"gains": ()}, r"gains: found \[\]; expected numbers above 0"),
        ({"gains": (0.01, -0.1)}, "gains: found"),
        ({"gains": (math.nan,)}, "gains: found"),
        ({"gains": (0.7,), "improvements": 1}, "found an expected score of 1.1"),
        ({"follow": 1.5}, "follow: found 1.5; expected a share"),
        ({"attack": 1}, "attack: found 1; expected at least 2 runs, or 0"),
        ({"attackers": 1}, "attackers: found 1; expected at least 2"),
        ({"alpha": 1.0}, "alpha: found 1"),
        ({"seed": -1}, "seed: found -1"),
        ({"queries": 10_000_000}, "expected at most 50,000,000 cells"),
        ({"rules": ["best"]}, "rules: found 'best'"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate(**options)


def check_null_boards(*, queries: int, boards: int, at_full_size: bool) -> None:
    """Of STATISTICS section 4, 60 submissions, nothing truly better: 98% by score, 45% naive, 2.7% with fallback."""
    found = simulate(queries=queries, boards=boards, improvements=0, attack=0)
    shares = {(each.rule.name, each.rule.gamma): each.false for each in found.rules}
    rows = "\n".join("  ".join(row[:3]) for row in found.table.rows)
    print(f"\nfalse crowns on {boards:,} boards of {queries:,} queries and 60 submissions, none better:\n{rows}")
    for (name, _), share in shares.items():
        if name == "score":
            assert share.estimate > 0.9
        elif name == "naive":
            assert 0.3 < share.estimate < 0.6
        else:
            assert share.low <= 0.05, name
            assert share.estimate <= 0.05 or not at_full_size, name


def test_the_highest_score_crowns_falsely_and_fallback_does_not() -> None:
    check_null_boards(queries=300, boards=100, at_full_size=False)


@pytest.mark.slow
def test_the_highest_score_crowns_falsely_and_fallback_does_not_on_many_boards() -> None:
    check_null_boards(queries=1_000, boards=1_000, at_full_size=True)


def test_more_queries_miss_less_and_a_rule_that_asks_for_more_misses_more() -> None:
    few, many = (
        simulate(queries=queries, submissions=20, boards=60, gains=(0.04,), attack=0, gammas=[QuadraticGamma()])
        for queries in (200, 4_000)
    )
    missed_by_few, missed_by_many = ({each.rule.name: each.missed for each in found.rules} for found in (few, many))
    assert missed_by_many["no_harm"] < 0.3 < missed_by_few["no_harm"]
    assert missed_by_many["significant"] > missed_by_many["no_harm"] > missed_by_many["score"]


@pytest.mark.slow
def test_what_each_rule_misses_on_many_boards() -> None:
    found = simulate(boards=1_000, attack=0)
    print(f"\n{found}")
    for each in found.rules:
        if each.rule.gamma is not None:
            assert each.false.low <= 0.05
