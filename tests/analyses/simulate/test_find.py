"""Whole leaderboards: what must hold of them, the figures of STATISTICS, and the same result whoever does the work."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toprung.analyses.simulate.attack import Inflation
from toprung.analyses.simulate.boards import Setting, draw_board
from toprung.analyses.simulate.crowns import Life, make_rules
from toprung.analyses.simulate.figures import summarise_attacks, summarise_lives
from toprung.analyses.simulate.find import Simulation, simulate
from toprung.analyses.simulate.work import count_steps
from toprung.boards.disclosure.release import FullRelease, Ladder
from toprung.data.formats.tables.matrix_files import read_ranks, read_scores
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat, render
from toprung.stats.models.board_model import ms_marco_like
from toprung.stats.models.monte_carlo import Mean
from toprung.stats.sequences.online import PowerLawGamma, QuadraticGamma, SteadyGamma
from toprung.workers import Workers

RECONSTRUCTION = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"
RELEASED = ["full", "rounded:3", "ladder:0.01", "ladder:free", "board-ladder:auto"]
SMALL: dict[str, Any] = {"queries": 60, "submissions": 12, "boards": 25, "attack": 40, "attackers": 3, "pairs": 20}


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
        "pairs": 0,
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
            assert rises.tolist() == list(board.improvements)
            assert np.diff(best)[rises - 1] == pytest.approx(list(board.improvements.values()))
            assert sorted(board.improvements.values()) == [0.02, 0.02, 0.05]
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
        rules = make_rules(["measure"], [SteadyGamma()], alpha=0.05)

        def life(false: int, waits: dict[float, float], level: float, regret: float) -> tuple[Life]:
            gained = {"gains": tuple(waits), "waits": tuple(waits.values())}
            return (Life(crowns=3, false_crowns=false, **gained, last_level=level, regret=regret),)

        lives = [
            life(0, {0.1: 0.0, 0.2: math.inf}, 0.01, 0.0),
            life(2, {0.2: 4.0, 0.1: 2.0}, 0.03, 0.02),
            life(1, {}, math.nan, 0.01),
        ]
        (found,) = summarise_lives(rules, lives, model=ms_marco_like(), queries=60)
        assert (found.false, found.false_per_board, found.crowns) == (Mean.of_shares([0, 1, 1]), 1.0, 3.0)
        assert (found.improvements, found.missed, found.wait) == (4, Mean.of_shares([0.5, 0]), 2.0)
        assert found.missed_by_gain == {0.1: Mean.of_shares([0, 0]), 0.2: Mean.of_shares([1, 0])}
        assert (found.last_level, found.regret) == (pytest.approx(0.02), Mean.of([0.0, 0.02, 0.01], least=0.0))

    def test_more_than_half_missed_is_never(self) -> None:
        rules = make_rules(["score"], [QuadraticGamma()], alpha=0.05)
        waits = (0.0, math.inf, math.inf)
        only = Life(crowns=0, false_crowns=0, gains=(0.1, 0.1, 0.1), waits=waits, last_level=math.nan, regret=0.0)
        (found,) = summarise_lives(rules, [(only,)], model=ms_marco_like(), queries=60)
        assert math.isinf(found.wait)
        assert math.isnan(found.last_level)
        assert found.smallest_gains == {}

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


class TestTheSameWhoeverWorks:
    @pytest.mark.parametrize("workers", [Workers(count=2), Workers(count=2, backend="threading")])
    def test_workers_change_nothing(self, small: Simulation, workers: Workers) -> None:
        assert simulate(**SMALL, workers=workers).to_dict() == small.to_dict()

    def test_another_seed_gives_other_boards(self, small: Simulation) -> None:
        assert simulate(**SMALL, seed=1).to_dict()["rules"] != small.to_dict()["rules"]

    def test_a_rule_meets_the_same_boards_whatever_else_is_compared(self, small: Simulation) -> None:
        alone = simulate(**{**SMALL, "attack": 0}, rules=["no_harm"], gammas=[SteadyGamma()])
        assert alone.rules[0] == small.rules[3]
        assert alone.releases == ()

    def test_a_release_meets_the_same_team_whatever_else_is_compared(self, small: Simulation) -> None:
        alone = simulate(**SMALL, rules=["score"], releases=[Ladder()])
        assert alone.releases[0] == small.releases[2]

    def test_progress_is_told_for_each_piece(self) -> None:
        told: list[str] = []
        simulate(**SMALL, on_progress=told.append)
        assert len(told) == count_steps(boards=25, attack=40, attackers=3, n_gains=2) == 12


class TestShown:
    def test_every_format_can_be_written(self, small: Simulation) -> None:
        for output_format in OutputFormat:
            assert render(small, output_format).strip()
        said = json.loads(render(small, OutputFormat.JSON))
        assert len(said["rules"]) == 8
        assert [each["release"] for each in said["releases"]] == RELEASED
        latex = render(small, OutputFormat.LATEX)
        assert latex.count(r"\begin{tabular}") == 6
        assert latex.partition(r"\midrule")[2].isascii()

    def test_all_that_was_set_is_told(self, small: Simulation) -> None:
        told = small.provenance
        assert (told["n_queries"], told["n_submissions"], told["n_boards"], told["seed"]) == (60, 12, 25, 0)
        assert (told["improvements"], told["gains"], told["follow"]) == (2, [0.01, 0.02], 0.2)
        assert (told["attack"], told["attackers"], told["pairs"], told["alpha"]) == (40, 3, 20, 0.05)

    def test_rules_and_releases_have_a_frame_each_with_what_json_holds(self, small: Simulation) -> None:
        said = small.to_dict()
        assert said["releases"] == small.release_frame().to_dicts()
        by_gain, seen = ([rule.pop(name) for rule in said["rules"]] for name in ("missed_by_gain", "smallest_gains"))
        assert [[each["claim"] for each in of_rule] for of_rule in seen] == [[], [], *[[1, 10, 50]] * 6]
        assert said["rules"] == small.to_frame().to_dicts()
        for gain, column in ((0.01, 0), (0.02, 1)):
            assert [each[column]["gain"] for each in by_gain] == [gain] * 8
            shares = [each.missed_by_gain[gain].estimate for each in small.rules]
            assert [each[column]["missed_share"] for each in by_gain] == shares

    def test_an_interval_holds_its_figure(self, small: Simulation) -> None:
        for rule in small.to_dict()["rules"]:
            for name in ("false_crown_share", "missed_share", "regret"):
                assert 0 <= rule[f"{name}_low"] <= rule[name] <= rule[f"{name}_high"], name

    def test_the_gains_and_the_releases_have_tables_of_their_own(self, small: Simulation) -> None:
        rules, gains, seen, power, releases, attacker = small.tables
        assert rules == ("", small.table)
        assert gains[0] == "Improvements missed, by how much better they are"
        assert gains[1].header == ("rule", "gamma", "of 0.01 (95%)", "of 0.02 (95%)")
        assert gains[1].rows[0][3].startswith(f"{100 * small.rules[0].missed_by_gain[0.02].estimate:.1f}% (")
        assert seen[0] == "Smallest gain that a claim sees four times in five, if none before it passed"
        assert power[0] == "Share of 20 better runs that pass, if none before did"
        assert releases[0] == "Public score of a team that is no better, after 40 adaptive runs"
        assert [row[0] for row in releases[1].rows] == [row[0] for row in attacker[1].rows] == RELEASED
        assert attacker[0] == "What an attacker gains on 60 hidden queries, in RR"
        assert attacker[1].header == ("release", "1 account", "10 accounts", "100 accounts", "simulated as")
        assert releases[1].rows[2][1].startswith(f"{small.releases[2].public.estimate:.4f} (")
        assert all(f"{heading}:\n{table.to_text()}" in str(small) for heading, table in (gains, seen, power, releases))

    def test_of_one_gain_nothing_more_is_shown(self) -> None:
        found = simulate(**{**SMALL, "attack": 0, "pairs": 0}, improvements=1, rules=["score"])
        assert found.tables == (("", found.table),)
        assert "Missed: improvements, of 0.01 in mean RR@100, that no holder matched before the next." in found.notes

    def test_what_nothing_better_cannot_show_is_not_shown(self) -> None:
        found = simulate(**{**SMALL, "attack": 0}, improvements=0)
        assert found.table.header == ("rule", "gamma", "false crowns (95%)", "last level")
        assert found.sentence.startswith("With 12 submissions of which none is truly better, a run that is no better ")
        assert "add improvements to see what a rule costs" in str(found)

    def test_the_sentence_sets_two_rules_side_by_side(self, small: Simulation) -> None:
        score, fallback = small.rules[0], small.rules[3]
        assert small.sentence == (
            "With 12 submissions of which 2 are truly better, a run that is no better is crowned on "
            f"{100 * score.false.estimate:.1f}% of 25 boards by best score and on "
            f"{100 * fallback.false.estimate:.1f}% by the rule “no harm”, which miss "
            f"{100 * score.missed.estimate:.1f}% and {100 * fallback.missed.estimate:.1f}% of the improvements."
        )

    def test_a_rule_alone_and_an_uncorrected_one_are_said_too(self) -> None:
        alone = {**SMALL, "boards": 1, "attack": 0, "pairs": 0}
        naive = simulate(**alone, rules=["naive"]).sentence
        assert " of 1 board by the measure, uncorrected, which misses " in naive
        assert simulate(**alone, rules=["both"], improvements=0).sentence.endswith("1 board by the rule “both”.")

    def test_lines_fit_a_screen(self, small: Simulation) -> None:
        lines = str(simulate(**SMALL, gammas=[PowerLawGamma(exponent=1.5)])).splitlines() + str(small).splitlines()
        assert max(len(line) for line in lines if not line.startswith("With ")) <= 120


class TestPilot:
    def test_runs_that_agree_are_not_remarked_on(self) -> None:
        hardness = np.arange(40) % 9
        values = np.stack([hardness, (hardness + (np.arange(40) % 4 == 0)) % 9], axis=1).astype(np.int32)
        pilot = FirstRanks(query_ids=tuple(f"q{i:02}" for i in range(40)), runs=("a", "b"), values=values, cutoff=10)
        found = simulate(**{**SMALL, "attack": 0}, pilot=pilot)
        assert 0.2 < found.model.correlation < 0.95
        assert not any(note.startswith("Pilot") for note in found.notes)

    def test_ranks_of_real_runs_are_taken(self) -> None:
        pilot = read_ranks(RECONSTRUCTION, cutoff=100)
        found = simulate(**{**SMALL, "attack": 0}, pilot=pilot)
        assert found.model.mean == pytest.approx(pilot.reciprocal().values.mean())
        assert found.model.missed == pytest.approx((pilot.values == 0).mean())
        assert found.provenance["pilot_digest"] == pilot.digest
        assert any("consistent with rows not aligned by query id" in note for note in found.notes)

    def test_scores_leave_the_measure(self, shared_data: Path) -> None:
        pilot = read_scores(shared_data / "score-matrices" / "adhoc8_ap.csv", measure="AP")
        found = simulate(**SMALL, pilot=pilot)
        assert found.model.mean == pytest.approx(pilot.values.mean(), abs=0.002)
        assert [row[0] for row in found.table.rows] == ["best score", "measure, uncorrected", *["measure"] * 4]
        assert {each.effect for each in found.power} == {"overall"}

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
        ({"pairs": -1}, "pairs: found -1; expected at least 0"),
        ({"alpha": 1.0}, "alpha: found 1"),
        ({"seed": -1}, "seed: found -1"),
        ({"queries": 10_000_000}, "expected at most 50,000,000 cells"),
        ({"rules": ["best"]}, "rules: found 'best'"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate(**options)


def null_boards(*, queries: int, boards: int) -> list[Mean]:
    """60 submissions, nothing truly better; of STATISTICS 3.5 "measure" .5–1.7%, "no harm" at most .5%."""
    found = simulate(queries=queries, boards=boards, improvements=0, attack=0)
    rows = "\n".join("  ".join(row[:3]) for row in found.table.rows)
    print(f"\nfalse crowns on {boards:,} boards of {queries:,} queries and 60 submissions, none better:\n{rows}")
    (score,), (naive,) = ([each.false for each in found.rules if each.rule.name == name] for name in ("score", "naive"))
    assert score.estimate > 0.9
    assert 0.1 < naive.estimate < 0.6
    return [each.false for each in found.rules if each.rule.gamma is not None]


def test_the_highest_score_crowns_falsely_and_who_shares_alpha_out_hardly() -> None:
    """Too few boards to tell 5% from a little more: the test on many boards holds the bound."""
    assert [share.estimate <= 0.05 for share in null_boards(queries=300, boards=100)] == [True] * 6


@pytest.mark.slow
def test_who_shares_alpha_out_crowns_falsely_on_less_than_5_percent_of_many_boards() -> None:
    """The whole interval is below the level."""
    assert [share.high < 0.05 for share in null_boards(queries=1_000, boards=1_000)] == [True] * 6


@pytest.mark.slow
@pytest.mark.parametrize("submissions", [60, 300])
@pytest.mark.parametrize("queries", [215, 1_000, 5_793])
def test_by_the_levels_of_boards_false_crowns_stay_below_5_percent(queries: int, submissions: int) -> None:
    """On boards where nothing is better; of STATISTICS 3.5 "measure" .5–1.7%, "no harm" at most .5%."""
    rules, boards = ["measure", "no_harm"], 400
    found = simulate(queries=queries, submissions=submissions, boards=boards, improvements=0, attack=0, rules=rules)
    steady = [each for each in found.rules if each.rule.gamma == SteadyGamma()]
    shares = ", ".join(f"{each.rule.name} {each.false.estimate:.2%}" for each in steady)
    print(f"\nfalse crowns on {boards} boards of {queries:,} queries and {submissions} submissions: {shares}")
    assert [each.rule.name for each in steady] == rules
    assert all(each.false.high < 0.05 for each in steady)


def test_more_queries_miss_less_and_a_rule_that_asks_for_more_misses_more() -> None:
    few, many = (
        simulate(queries=queries, submissions=20, boards=60, gains=(0.02,), attack=0, gammas=[SteadyGamma()])
        for queries in (200, 4_000)
    )
    missed_by_few, missed_by_many = (
        {each.rule.name: each.missed.estimate for each in found.rules} for found in (few, many)
    )
    assert missed_by_many["no_harm"] < 0.3 < missed_by_few["no_harm"]
    assert missed_by_many["both"] > missed_by_many["no_harm"] > missed_by_many["score"]


@pytest.mark.slow
def test_what_each_rule_misses_on_many_boards() -> None:
    found = simulate(boards=1_000, attack=0)
    print(f"\n{found}")
    for each in found.rules:
        if each.rule.gamma is not None:
            assert each.false.high < 0.05


@pytest.mark.parametrize("name", ["boards", "attack"])
def test_more_than_can_be_lived_through_is_refused_at_once(name: str) -> None:
    with pytest.raises(InputError, match=f"{name}: found 1,000,000,000,000; expected at most 1,000,000"):
        simulate(**{name: 10**12})


def test_the_order_of_the_pilot_runs_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 30, (40, 4)).astype(np.int32)
    pilot = FirstRanks(query_ids=tuple(f"q{i}" for i in range(40)), runs=tuple("abcd"), values=values, cutoff=100)
    few = {"queries": 50, "submissions": 4, "boards": 3, "attack": 0}
    turned = simulate(pilot=pilot.select(["d", "b", "c", "a"]), **few)
    assert turned.to_dict() == simulate(pilot=pilot, **few).to_dict()
