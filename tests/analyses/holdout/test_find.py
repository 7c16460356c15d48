"""Whether what the public leaderboard shows holds on private queries."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import toprung as tr
from toprung.analyses.holdout.find import Holdout, count_steps, holdout
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.report.render import OutputFormat, render

Values = NDArray[np.float64] | list[list[float]]


def table(values: Values, runs: str, prefix: str = "p", measure: str = "nDCG@10") -> tr.ScoreTable:
    matrix = np.array(values, dtype=np.float64)
    return tr.ScoreTable(
        query_ids=tuple(f"{prefix}{row:04d}" for row in range(len(matrix))),
        runs=tuple(runs),
        values=matrix,
        measure=measure,
    )


def noisy(seed: int, n: int, means: list[float], sd: float = 0.2) -> NDArray[np.float64]:
    return np.asarray(np.random.default_rng(seed).normal(means, sd, (n, len(means))))


def made(*rows: tuple[str, str, int]) -> Submissions:
    return Submissions(
        entries=tuple(SubmittedRun(run=run, team=team, date=date(2021, month, 1)) for run, team, month in rows)
    )


@pytest.fixture(scope="module")
def fitted() -> Holdout:
    """The best run in public, c, gains there alone; b gains in both."""
    public = table(noisy(1, 300, [0.3, 0.4, 0.6]), "abc")
    private = table(noisy(2, 60, [0.3, 0.4, 0.2]), "abc", "s")
    return holdout(public, private, reference="a")


def test_scores_ranks_and_moves_by_hand() -> None:
    public = table([[0.1, 0.5, 0.3], [0.3, 0.7, 0.3]], "abc")  # means 0.2, 0.6, 0.3
    private = table([[0.5, 0.4, 0.1], [0.1, 0.4, 0.3]], "abc", "s")  # means 0.3, 0.4, 0.2
    found = holdout(public, private, reference="a")["private"]
    assert [(row.run, row.public_rank, row.private_rank, row.rank_change) for row in found.runs] == [
        ("b", 1, 1, 0),
        ("c", 2, 3, -1),
        ("a", 3, 2, 1),
    ]
    assert [row.public.estimate for row in found.runs] == pytest.approx([0.6, 0.3, 0.2])
    gain = found.runs[1].divergence
    assert gain is not None
    assert (gain.public_gain, gain.private_gain, gain.estimate) == pytest.approx((0.1, -0.1, 0.2))
    assert gain.gains_in_public_only
    assert found.runs[2].divergence is None  # a is the reference
    assert found.order.tau.estimate == pytest.approx(1 / 3)


def test_a_run_fitted_to_the_public_queries_diverges_and_is_named(fitted: Holdout) -> None:
    assert [row.run for row in fitted["private"].runs if row.diverges] == ["c"]
    assert fitted.sentence.startswith("c gains more over a in public than in private, by 0.")
    assert "; the orders agree at τ = " in fitted.sentence
    assert "p < 0.0001" not in fitted.sentence  # no bootstrap of this size can say so
    assert "Above the reference in public and not in private, beyond chance or not: c." in fitted.notes


def test_without_divergence_the_sentence_says_what_could_not_be_seen() -> None:
    public, private = table(noisy(1, 300, [0.3, 0.4, 0.5]), "abc"), table(noisy(2, 45, [0.3, 0.4, 0.5]), "abc", "s")
    found = holdout(public, private, reference="a")
    seen = found["private"].smallest_seen
    # Two runs with sd 0.2 on every query, so the gain has sd 0.28; the first of two of Holm's steps, t with 44 degrees.
    quantiles = stats.t.isf(0.025 / 2, 44) + stats.t.ppf(0.8, 44)
    assert seen == pytest.approx(quantiles * 0.2 * math.sqrt(2) * math.sqrt(1 / 300 + 1 / 45), rel=0.15)
    assert found.sentence == (
        "No run gains more over a in public than in private beyond chance, but 45 private queries cannot see less than "
        f"about {seen:.2f} nDCG@10; the orders agree at τ = 1.00."
    )


@pytest.mark.parametrize(
    ("n_public", "n_private", "said"),
    [
        (12, 60, "but 12 public queries cannot see less than about 0."),
        (7, 60, "but 7 public queries are too few to tell"),
        (1, 30, "but 1 public query is too few to tell"),
        (30, 1, "but 1 private query is too few to tell"),
        (60, 7, "but 7 private queries are too few to tell"),
    ],
)
def test_the_side_that_is_too_small_is_named(n_public: int, n_private: int, said: str) -> None:
    public, private = (
        table(noisy(seed, n, [0.3, 0.4], 0.5), "ab", prefix)
        for seed, n, prefix in ((1, n_public, "p"), (2, n_private, "s"))
    )
    assert said in holdout(public, private).sentence


def test_holm_corrects_over_all_runs_and_private_sets() -> None:
    public = table(noisy(1, 200, [0.3, 0.4, 0.5]), "abc")
    sets = {name: table(noisy(seed, 40, [0.3, 0.4, 0.5]), "abc", name) for seed, name in enumerate("xy", start=2)}
    found = holdout(public, sets, reference="a")
    rows = [row for each in found.sets for row in each.runs if row.divergence is not None]
    raw = sorted((row.divergence.p, row.p_holm) for row in rows if row.divergence is not None)
    assert len(raw) == 4
    assert raw[0][1] == pytest.approx(min(1, 4 * raw[0][0]))
    assert "Holm over the 4 tests" in str(found)
    assert found.table.header[0] == "set"
    assert {row[0] for row in found.table.rows} == {"x", "y"}
    assert str(found).count("\n\nOn ") == 2


def test_the_reference_is_the_one_asked_the_earliest_or_the_mean_of_the_others() -> None:
    public, private = table(noisy(1, 30, [0.5, 0.4, 0.3]), "abc"), table(noisy(2, 30, [0.5, 0.4, 0.3]), "abc", "s")
    submissions = made(("a", "T", 2), ("b", "T", 1), ("c", "U", 3))
    found = holdout(public, private)
    assert (found.reference, found.chosen_by) == ("mean of the other runs", "mean")
    assert all(row.divergence is not None for row in found["private"].runs)
    assert " more over the mean of the other runs in public than in private" in found.sentence
    assert found.notes[0].startswith("Reference: the mean of the other runs, for nobody named a baseline (--reference)")
    earliest = holdout(public, private, submissions=submissions)
    assert earliest.reference == "b"
    assert earliest.notes[0] == "Reference: b, the earliest submitted."
    assert holdout(public, private, submissions=submissions, reference="a").reference == "a"


def test_gains_over_the_mean_of_the_others_by_hand() -> None:
    public = table([[0.1, 0.5, 0.3], [0.3, 0.7, np.nan]], "abc")
    private = table([[0.5, 0.4, 0.1], [0.1, 0.4, 0.3]], "abc", "s")
    gains = {row.run: row.divergence for row in holdout(public, private)["private"].runs}
    # b: 0.5 − (0.1 + 0.3)/2 and 0.7 − 0.3 in public; 0.4 − (0.5 + 0.1)/2 and 0.4 − (0.1 + 0.3)/2 in private
    assert gains["b"] is not None
    assert (gains["b"].public_gain, gains["b"].private_gain) == pytest.approx((0.35, 0.15))
    assert gains["c"] is not None
    assert (gains["c"].public_gain, gains["c"].n_public) == (pytest.approx(0.0), 1)


def test_where_nothing_is_fitted_no_reference_of_ours_makes_a_run_diverge() -> None:
    """The run with the worst public score would: it was picked for its public bad luck (in 0.13 to 0.16 of boards)."""
    rng = np.random.default_rng(9)
    boards = 80
    found = [
        holdout(table(rng.random((40, 10)), "abcdefghij"), table(rng.random((40, 10)), "abcdefghij", "s"), seed=seed)
        for seed in range(boards)
    ]
    shares = np.mean([any(row.diverges for row in each["private"].runs) for each in found])
    assert shares <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / boards)


def test_of_runs_submitted_on_one_day_the_first_in_the_file_is_the_earliest() -> None:
    public, private = table(noisy(1, 30, [0.5, 0.4, 0.3]), "abc"), table(noisy(2, 30, [0.5, 0.4, 0.3]), "abc", "s")
    for order in ("bac", "cba", "acb"):
        found = holdout(public, private, submissions=made(*((run, "T", 1) for run in order)))
        assert (found.reference, found.teams[0].first) == (order[0], order[0])


def test_an_order_that_turns_round_is_lower_than_chance_explains() -> None:
    means = [0.1, 0.3, 0.5, 0.7, 0.9]
    public = table(noisy(1, 100, means), "abcde")
    for private, verdict in ((means[::-1], "lower than chance alone explains"), (means, "no lower than by chance")):
        (note,) = [
            note
            for note in holdout(public, table(noisy(2, 60, private), "abcde", "s")).notes
            if note.startswith("Order: ")
        ]
        assert note.endswith(f": {verdict}.")


def test_no_name_of_a_private_set_hides_the_public_one() -> None:
    names = ("public", "submissions", "n")
    public = replace(table(noisy(1, 20, [0.3, 0.6]), "ab"), remarks=("of the public set",))
    private = {
        name: replace(table(noisy(seed, 9, [0.3, 0.6]), "ab", name), remarks=(f"of {name}",))
        for seed, name in enumerate(names, start=2)
    }
    found = holdout(public, private, submissions=made(("a", "T", 1)))
    assert found.provenance["public_digest"] == public.digest
    assert found.provenance["n_public_queries"] == 20
    assert found.provenance["private_sets"] == [
        {"name": name, "digest": private[name].digest, "n_queries": 9} for name in names
    ]
    assert found.remarks == ("public: of the public set", "public: of public", "submissions: of submissions", "n: of n")


def test_the_same_queries_under_other_labels_are_drawn_together() -> None:
    public = table(noisy(1, 100, [0.3, 0.4]), "ab")
    again = table(public.values - np.array([0.0, 0.02]), "ab")
    found = holdout(public, {"other labels": again}, reference="a")["other labels"]
    assert found.n_shared == 100
    test = found.runs[0].divergence
    assert test is not None
    assert (test.estimate, test.error) == (pytest.approx(0.02), 0.0)  # the labels cost b 0.02 on every query


def test_where_lower_is_better_gains_and_ranks_turn_round() -> None:
    public = table([[9.0, 3.0], [7.0, 1.0], [8.0, 2.0]], "ab", measure="ESL")
    private = table([[5.0, 6.0], [6.0, 8.0], [np.nan, 4.0]], "ab", "s", measure="ESL")
    found = holdout(public, private)["private"]
    assert [(row.run, row.public_rank, row.private_rank) for row in found.runs] == [("b", 1, 2), ("a", 2, 1)]
    test = found.runs[0].divergence
    assert test is not None
    assert (test.public_gain, test.private_gain) == (6.0, -1.5)  # by the two queries that both answer
    assert test.n_private == 2
    assert found.runs[1].private.n == 2


def test_runs_missing_on_one_side_are_counted_and_named() -> None:
    public, private = table(noisy(1, 20, [0.1] * 4), "abcx"), table(noisy(2, 20, [0.1] * 4), "abcy", "s")
    gone = private.values.copy()
    gone[:, 2] = np.nan  # c has no value at all
    found = holdout(public, table(gone, "abcy", "s"))
    assert found["private"].only_public == ("c", "x")
    assert found["private"].only_private == ("c", "y")
    assert "Left out: 2 runs without scores in private, c and x." in found.notes


def test_a_constant_measure_shows_nothing_and_says_so() -> None:
    found = holdout(table([[0.5, 0.5]] * 9, "ab"), table([[0.5, 0.5]] * 8, "ab", "s"), reference="a")
    assert found.sentence == "No run gains more over a in public than in private beyond chance; no order to compare."
    assert any("all runs score alike on one side" in note for note in found.notes)
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_single_private_query_gives_no_verdict_in_any_format() -> None:
    found = holdout(table(noisy(1, 20, [0.3, 0.5]), "ab"), table([[0.5, 0.1]], "ab", "s"))
    assert any(note.endswith(": no verdict on fewer than 8 queries.") for note in found.notes)
    for output_format in OutputFormat:
        assert render(found, output_format)


def test_shuffled_queries_and_runs_change_nothing() -> None:
    public, private = noisy(1, 50, [0.3, 0.4, 0.5]), noisy(2, 30, [0.3, 0.4, 0.5])
    submissions = made(("a", "T", 1), ("b", "T", 2), ("c", "U", 3))
    expected = holdout(table(public, "abc"), table(private, "abc", "s"), submissions=submissions)
    order = [2, 0, 1]
    rows = np.random.default_rng(3).permutation(50)
    shuffled = tr.ScoreTable(
        query_ids=tuple(f"p{row:04d}" for row in rows),
        runs=("c", "a", "b"),
        values=public[rows][:, order],
        measure="nDCG@10",
    )
    found = holdout(shuffled, table(private[:, order], "cab", "s"), submissions=submissions)
    assert found.to_dict() == expected.to_dict()


def test_the_seed_decides() -> None:
    public, private = table(noisy(1, 50, [0.3, 0.4]), "ab"), table(noisy(2, 30, [0.3, 0.4]), "ab", "s")
    first, again, other = (holdout(public, private, seed=seed).to_dict() for seed in (0, 0, 1))
    assert first == again
    assert first["sets"] != other["sets"]


def test_teams_have_a_table_of_their_own_and_what_lacks_a_team_is_named() -> None:
    public, private = table(noisy(1, 200, [0.3, 0.6, 0.5]), "abc"), table(noisy(2, 60, [0.3, 0.2, 0.5]), "abc", "s")
    found = holdout(public, private, submissions=made(("a", "T", 1), ("b", "T", 3), ("lost", "T", 4)))
    assert found.team_table.rows[0][:3] == ("T", "3", "1·11")
    assert found.team_table.header[2] == "from 2021-01"
    assert "\n\nTeams:\nteam" in str(found)
    assert "Better than their first run in public and not in private, beyond chance or not: T." in found.notes
    assert "Left out: 1 submitted run without public scores, lost." in found.notes
    assert "No team: 1 run that no submission names, c." in found.notes
    assert len(found.paper_tables()) == 2


@pytest.mark.parametrize("output_format", [OutputFormat.TABLE, OutputFormat.MARKDOWN, OutputFormat.HTML])
def test_every_format_to_read_has_all_private_sets_and_the_teams(output_format: OutputFormat) -> None:
    public = table(noisy(1, 20, [0.3, 0.6]), "ab")
    sets = {name: table(noisy(seed, 9, [0.3, 0.5]), "ab", name) for seed, name in enumerate(["dl19", "dl20"], start=2)}
    found = holdout(public, sets, submissions=made(("a", "Halden", 1), ("b", "Halden", 3)))
    assert [heading for heading, _ in found.tables] == ["On dl19", "On dl20", "Teams"]
    written = render(found, output_format)
    assert all(heading in written for heading, _ in found.tables)
    tables = re.sub("<svg.*?</svg>", "", written, flags=re.DOTALL)  # figures name the team too
    assert tables.count("Halden") == found._repr_html_().count("Halden") == 2  # once for each private set


def test_a_submitted_run_without_a_single_public_value_is_not_scored() -> None:
    public = noisy(1, 20, [0.3, 0.6, 0.9])
    public[:, 2] = np.nan
    found = holdout(
        table(public, "abc"),
        table(noisy(2, 9, [0.3, 0.2, 0.4]), "abc", "s"),
        submissions=made(("c", "T", 1), ("a", "T", 2), ("b", "T", 3)),
    )
    assert (found.teams[0].runs, found.teams[0].n_submitted) == (("a", "b"), 3)
    assert found.not_scored == ("c",)
    assert found["private"].only_private == ("c",)


def test_the_frame_of_teams_has_a_row_for_each_private_set_and_for_who_has_none() -> None:
    public, private = table(noisy(1, 200, [0.3, 0.6, 0.5]), "abc"), table(noisy(2, 60, [0.3, 0.2, 0.5]), "abc", "s")
    submissions = made(("a", "T", 1), ("b", "T", 3), ("lost", "T", 4), ("c", "U", 1))
    found = holdout(public, {"x": private, "y": private}, submissions=submissions)
    frame = found.team_frame()
    assert frame.select("team", "private_set", "n_submitted", "n_scored", "gains_in_public_only").rows() == [
        ("T", "x", 3, 2, True),
        ("T", "y", 3, 2, True),
        ("U", None, 1, 1, False),
    ]
    gain = found.teams[0].gains[0]
    row = frame.row(0, named=True)
    assert (row["public_gain"], row["private_gain"], row["divergence"]) == (gain.public, gain.private, gain.divergence)
    assert (row["first"], row["best"]) == ("a", "b")
    assert holdout(public, private).team_frame().schema == frame.schema


def test_long_names_that_begin_alike_stay_apart() -> None:
    runs = tuple(f"a-run-whose-name-tells-a-story-{place}" for place in (1, 2))
    public, private = (
        replace(table(noisy(seed, 9, [0.3, 0.6]), "ab", prefix), runs=runs) for seed, prefix in ((1, "p"), (2, "s"))
    )
    found = holdout(public, private, submissions=made(*((run, f"the team of {run}", 1) for run in runs)))
    assert {row[3] for row in found.table.rows} == set(runs)
    assert {row[0] for row in found.team_table.rows} == {f"the team of {run}" for run in runs}


def test_submissions_that_match_no_run_are_told() -> None:
    public, private = table(noisy(1, 20, [0.3, 0.6]), "ab"), table(noisy(2, 20, [0.3, 0.2]), "ab", "s")
    found = holdout(public, private, submissions=made(("A", "T", 1), ("B", "T", 2)))
    assert found.teams == ()
    assert (
        "Teams: none has a run with public scores, as they are named. Left out: 2 submitted runs without public "
        "scores, A and B."
    ) in found.notes
    assert "No team: 2 runs that no submission names, a and b." in found.notes


@pytest.mark.parametrize("side", [0, 1])
def test_queries_without_a_value_are_told(side: int) -> None:
    tables = [table(noisy(seed, 20, [5, 6]), "ab", prefix, "ESL@10") for seed, prefix in ((1, "p"), (2, "s"))]
    note = (
        "Queries without a value of ESL@10 are left out of a run's mean, and of a gain where the run or the reference "
        "has none."
    )
    assert note not in holdout(*tables).notes
    values = tables[side].values.copy()
    values[0, 0] = np.nan
    tables[side] = replace(tables[side], values=values)
    assert note in holdout(*tables).notes


def test_over_many_months_the_busiest_is_shown() -> None:
    public, private = table(noisy(1, 20, [0.3, 0.6]), "ab"), table(noisy(2, 20, [0.3, 0.2]), "ab", "s")
    days = [("a", date(2020, 1, 5)), ("b", date(2021, 6, 5)), ("x", date(2021, 6, 6))]
    entries = tuple(SubmittedRun(run=run, team="T", date=day) for run, day in days)
    found = holdout(public, private, submissions=Submissions(entries=entries))
    assert found.team_table.header[2] == "busiest month"
    assert found.team_table.rows[0][2] == "2021-06: 2"


def test_frame_and_json_hold_everything(fitted: Holdout) -> None:
    frame = fitted.to_frame()
    assert frame["run"].to_list() == ["c", "b", "a"]
    assert frame["diverges"].to_list() == [True, False, False]
    assert frame["divergence"].to_list()[2] is None
    back = json.loads(json.dumps(fitted.to_dict(), allow_nan=False))
    assert back["sets"][0]["order"]["tau"]["n_runs"] == 3
    assert back["sets"][0]["runs"][0]["p"] > 0
    assert back["provenance"]["n_public_queries"] == 300
    assert back["provenance"]["reference"] == "a"


def test_tables_fit_the_screen(fitted: Holdout) -> None:
    assert max(map(len, str(fitted.table.to_text()).splitlines())) <= 120


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_can_be_written(fitted: Holdout, output_format: OutputFormat) -> None:
    assert "reference" in render(fitted, output_format) or output_format is OutputFormat.CSV


def test_remarks_of_the_matrices_are_passed_on_with_their_side() -> None:
    labels = {side: {f"{side}{i}": {"d": 1} for i in range(4)} for side in "ps"}
    whole = {f"{side}{i}": {"d": 2.0, "x": 1.0} for side in "ps" for i in range(4)}
    partial = {query: {"x": 2.0, "d": 1.0} for query in whole if query != "s3"}
    public, private = (
        tr.evaluate(labels[side], {"whole": whole, "partial": partial}, "RR").score_table("RR") for side in "ps"
    )
    assert "private: partial: 1 labelled query missing." in holdout(public, private).notes


def test_progress_is_told_as_often_as_announced() -> None:
    public, private = table(noisy(1, 20, [0.3, 0.6]), "ab"), table(noisy(2, 20, [0.3, 0.2]), "ab", "s")
    told: list[str] = []
    both = {"x": private, "y": private}
    holdout(public, both, on_progress=told.append)
    assert told == [f"{name}: {step}" for name in "xy" for step in ("scores", "divergence", "order")]
    assert count_steps(both) == 6
    submissions = made(("a", "T", 1))
    holdout(public, both, submissions=submissions, on_progress=told.append)
    assert (len(told) - 6, told[-1]) == (count_steps(both, submissions), "teams")


@pytest.mark.parametrize(
    ("public", "private", "options", "message"),
    [
        (table([[1.0, 2.0]], "ab"), {}, {}, "Found no private set"),
        (table([[1.0, 2.0]], "ab"), table([[1.0, 2.0]], "xy"), {}, "Found no run with scores on the public queries"),
        (table([[1.0, 2.0]], "ab"), table([[1.0, 2.0]], "ax"), {}, "Found 'a' alone with scores on the public"),
        (table([[1.0]], "a"), table([[1.0]], "a"), {}, "expected at least two runs"),
        (table([[1.0, 2.0]], "ab"), table([[1.0, 2.0]], "ab", measure="RR"), {}, "Found nDCG@10 on the public"),
        (table([[1.0, 2.0]], "ab"), table(np.empty((0, 2)), "ab"), {}, "Found no queries on private"),
        (table([[1.0, 2.0]], "ab"), table([[1.0, 2.0]], "ab"), {"reference": "z"}, "reference: found no run 'z'"),
        (table([[1.0, 2.0]], "ab"), table([[1.0, 2.0]], "ab"), {"confidence": 1.5}, "confidence: found 1.5"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    public: tr.ScoreTable, private: tr.ScoreTable, options: dict[str, object], message: str
) -> None:
    with pytest.raises(tr.InputError, match=message):
        holdout(public, private, **options)  # type: ignore[arg-type]


def test_an_unknown_private_set_is_refused(fitted: Holdout) -> None:
    with pytest.raises(tr.InputError, match="Found no private set 'trec'; expected one of private"):
        fitted["trec"]


def test_a_random_split_of_real_queries_does_not_diverge(shared_data: Path) -> None:
    folder = shared_data / "msmarco-passage-dev215"
    evaluation = tr.evaluate(folder / "qrels.dev215.txt", sorted(folder.glob("*.run.gz")), "RR@10")
    scores = evaluation.score_table("RR@10")
    rows = np.random.default_rng(1).permutation(215)
    public, private = (
        tr.ScoreTable(
            query_ids=tuple(scores.query_ids[row] for row in part),
            runs=scores.runs,
            values=scores.values[part],
            measure="RR@10",
        )
        for part in (rows[45:], rows[:45])
    )
    found = holdout(public, private, reference="BM25")
    assert not any(row.diverges for row in found["private"].runs)
    assert 0.05 < found["private"].smallest_seen < 0.25
    tau = found["private"].order.tau
    assert tau.by_chance_low <= tau.estimate <= tau.by_chance_high


def test_the_private_score_that_is_expected_keeps_the_gain_over_the_reference() -> None:
    """In public a has 0.2, in private 0.3: what gains nothing more or less scores 0.1 more."""
    public = table([[0.1, 0.5, 0.3], [0.3, 0.7, 0.3]], "abc")
    private = table([[0.5, 0.4, 0.1], [0.1, 0.4, 0.3]], "abc", "s")
    found = holdout(public, private, reference="a")["private"]
    assert found.private_score(0.6) == pytest.approx(0.7)
    assert found.private_score(0.6, 0.3) == pytest.approx(0.4)
    assert found.private_score(0.6, 0.3, higher_is_better=False) == pytest.approx(1.0)


@pytest.mark.parametrize("reference", ["a", None])
def test_each_run_has_the_private_score_of_its_divergence(reference: str | None) -> None:
    found = holdout(
        table(noisy(1, 30, [0.3, 0.4, 0.6]), "abc"),
        table(noisy(2, 20, [0.3, 0.4, 0.2]), "abc", "s"),
        reference=reference,
    )
    each = found["private"]
    for row in each.runs:
        divergence = 0.0 if row.divergence is None else row.divergence.estimate
        assert each.private_score(row.public.estimate, divergence) == pytest.approx(row.private.estimate)
