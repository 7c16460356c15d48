"""Would other queries have said the same?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.analyses.agreement.find import Agreement, agreement
from toprung.report.render import OutputFormat, render
from toprung.stats.pairs.split_half import COLUMNS, READINGS
from toprung.workers import Workers

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "adhoc8_agreement.json").read_text())


def table_of(columns: dict[str, list[float]], measure: str = "P@10") -> tr.ScoreTable:
    values = np.array(list(columns.values()), dtype=np.float64).T.reshape(-1, len(columns))
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return tr.ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def random_table(n_runs: int, n_queries: int, *, seed: int = 0) -> tr.ScoreTable:
    rng = np.random.default_rng(seed)
    ease, skill = rng.uniform(size=(n_queries, 1)), rng.normal(0, 0.1, size=n_runs)
    values = np.clip(ease + skill + rng.normal(0, 0.2, size=(n_queries, n_runs)), 0, 1).round(1)
    return table_of({f"r{run:03d}": values[:, run].tolist() for run in range(n_runs)})


def figures(found: Agreement) -> str:
    return json.dumps(found.to_dict(), sort_keys=True)


@pytest.fixture(scope="module")
def found() -> Agreement:
    return agreement(replace(random_table(8, 60), measure="AP"), splits=12)


def test_halves_of_a_clear_difference_agree_that_it_is_significant() -> None:
    # 12 queries, B ahead on each: 6 of 6 in either half (sign test p = .03125), whatever the split.
    clear = agreement(table_of({"a": [0.1] * 12, "b": [0.2 + 0.01 * query for query in range(12)]}), splits=5)
    for column in COLUMNS:
        rates = clear.rates(*column)
        assert (rates.agree, rates.partial, rates.disagree, rates.significant) == (1, 0, 0, 1), column
    assert clear.sentence == (
        "Over 5 random splits of 12 queries, the halves agree on 100.0% of splits by the mean, and on 100.0% by the "
        "median; they disagree on at most 0.0%."
    )


def test_halves_that_must_contradict_each_other_agree_in_part_while_nothing_is_significant() -> None:
    # B is ahead by 1 on half the queries and behind by 1 on the others: what one half gains the other loses.
    table = table_of({"a": [0.0] * 8, "b": [1.0, -1.0] * 4})
    read = agreement(table, splits=40)
    rates = read.rates("sign", "mean")
    assert rates.disagree == rates.significant == 0
    # Both halves are level if each draws two of four: 36 of 70 splits; otherwise they point apart.
    assert rates.agree == read.tie_rate("mean")
    assert rates.agree == pytest.approx(36 / 70, abs=0.25)
    assert rates.agree + rates.partial == pytest.approx(1)


def test_the_table_has_the_published_rows_and_columns(found: Agreement) -> None:
    table, rest = found.paper_tables()
    assert [row[0] for row in table.rows] == ["agree", "part. agree", "disagree", "perc. signif."]
    assert table.header[1:] == ("Sign T.", "WX RS", "WX SR", "t-test", "Sign T. Med.", "WX RS Med", "WX SR Med")
    assert [f"{100 * found.rates(*column).agree:.1f}%" for column in COLUMNS] == list(table.rows[0][1:])
    assert rest.header == table.header
    assert {row[1:] for row in (*table.rows, *rest.rows)} == {row[1:] for row in found.table.rows}
    assert [row[0] for row in rest.rows[::4]] == ["agree, 5th–95th pct.", "equal in a half"]


def test_the_spread_over_splits_stands_below_each_rate(found: Agreement) -> None:
    shown = found.table
    assert [row[0] for row in shown.rows][:2] == ["agree", "  5th–95th pct."]
    by_split = found.counts[:, 0, 0, [0, 2]].sum(axis=1) / found.n_pairs
    low, high = np.quantile(by_split, [0.05, 0.95])
    assert shown.rows[1][1] == f"{100 * low:.1f}–{100 * high:.1f}"
    assert low < found.rates("sign", "mean").agree < high
    assert max(map(len, shown.to_text().splitlines())) <= 120


def test_one_split_has_no_spread() -> None:
    one = agreement(random_table(3, 10), splits=1)
    assert not any("pct." in text for text in (*(row[0] for row in one.table.rows), *one.notes))
    assert one.sentence.startswith("Over 1 random split of 10 queries, ")


def test_both_readings_come_from_the_same_counts(found: Agreement) -> None:
    other = found.read_as("table4ab")
    assert other.counts is found.counts
    same, flipped = found.counts[:, 0].sum(axis=0)
    total = found.n_pairs * found.n_splits
    text, table = found.rates("sign", "mean"), other.rates("sign", "mean")
    assert text.partial == (same[1] + flipped[0]) / total
    assert table.partial == flipped.sum() / total
    assert (text.disagree, table.disagree) == ((flipped[1] + flipped[2]) / total, same[1] / total)
    assert (text.agree, text.significant) == (table.agree, table.significant)
    table = replace(random_table(8, 60), measure="AP")
    assert agreement(table, splits=12, reading="table4ab").table == other.table
    assert other.notes[0].startswith("Read as the published tables 4a and 4b count")


def test_json_has_both_readings_and_where_it_came_from(found: Agreement) -> None:
    back = json.loads(render(found, OutputFormat.JSON))
    assert set(back["readings"]) == set(READINGS)
    assert back["reading"] == "text"
    assert [[row["test"], row["aggregate"]] for row in back["readings"]["text"]] == [list(each) for each in COLUMNS]
    assert back["provenance"] == {
        "measure": "AP",
        "scores_digest": random_table(8, 60).digest,
        "n_queries": 60,
        "n_runs": 8,
        "n_pairs": 28,
        "n_splits": 12,
        "alpha": 0.05,
        "signed_rank_method": "asymptotic",
        "reading": "text",
        "seed": 0,
        "toprung": tr.__version__,
    }


def test_the_frame_has_a_row_for_each_test_and_aggregate_with_its_counts(found: Agreement) -> None:
    frame = found.to_frame()
    assert frame.select("test", "aggregate").rows() == list(COLUMNS)
    cells = ["same_none", "same_one", "same_both", "flipped_none", "flipped_one", "flipped_both"]
    assert (frame.select(cells).sum_horizontal() == 28 * 12).all()
    assert (frame["agree_p5"] <= frame["agree"]).all()
    assert (frame["agree"] <= frame["agree_p95"]).all()


def test_no_test_is_called_not_permitted(found: Agreement) -> None:
    assert found.table.rows[-1][0] == "equal in a half"
    assert "permitted" not in str(found)


def test_equal_medians_are_told() -> None:
    # Most queries are 0 for both: medians are 0, means differ.
    sparse = agreement(table_of({"a": [0.0] * 20, "b": [1.0, 0.5] + [0.0] * 18}), splits=10)
    assert sparse.tie_rate("median") == 1
    assert sparse.tie_rate("mean") < 1
    assert sparse.table.rows[-1] == ("equal in a half", *[f"{100 * sparse.tie_rate('mean'):.1f}%"] * 4, *["100.0%"] * 3)
    assert any("many equal medians" in note for note in sparse.notes)


def test_a_constant_measure_tells_nobody_apart() -> None:
    constant = agreement(table_of({"a": [1.0] * 6, "b": [1.0] * 6, "c": [1.0] * 6}), splits=3)
    assert (
        constant.sentence
        == "Over 3 random splits of 6 queries, no half tells any two runs apart: all have the same P@10."
    )
    assert constant.rates("t", "mean").agree == 1
    assert constant.rates("t", "mean").significant == 0


@pytest.mark.parametrize(
    ("queries", "method", "said"),
    [
        (12, "asymptotic", "as published, though a half has only 6 queries"),
        (12, "auto", "Signed ranks of 6 queries: exact, or by permutation"),
        (100, "auto", "Signed ranks: by the normal approximation."),
    ],
)
def test_how_signed_ranks_got_their_p_values_is_told(queries: int, method: str, said: str) -> None:
    read = agreement(random_table(2, queries), splits=1, method=method)  # type: ignore[arg-type]
    assert any(said in note for note in read.notes)


@pytest.mark.parametrize("workers", [Workers(count=2), Workers(count=2, backend="threading")], ids=lambda w: w.backend)
def test_the_number_of_workers_does_not_show(workers: Workers) -> None:
    table = random_table(5, 21)
    alone = agreement(table, splits=6, method="auto")
    assert figures(agreement(table, splits=6, method="auto", workers=workers)) == figures(alone)


@settings(max_examples=15)
@given(seed=st.integers(0, 1_000), method=st.sampled_from(["asymptotic", "auto"]))
def test_the_order_of_runs_and_queries_changes_nothing(seed: int, method: str) -> None:
    table = random_table(5, 13, seed=seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(13), rng.permutation(5)
    shuffled = tr.ScoreTable(
        query_ids=tuple(table.query_ids[row] for row in rows),
        runs=tuple(table.runs[column] for column in columns),
        values=table.values[rows][:, columns],
        measure=table.measure,
    )
    read, again = (agreement(each, splits=3, method=method) for each in (table, shuffled))  # type: ignore[arg-type]
    assert figures(read) == figures(again)


def test_the_seed_draws_the_splits() -> None:
    table = random_table(6, 30)
    first, again, other = (agreement(table, splits=4, seed=seed) for seed in (1, 1, 2))
    assert (first.counts == again.counts).all()
    assert (first.counts != other.counts).any()


def test_more_splits_begin_with_the_same_ones() -> None:
    table = random_table(4, 20)
    assert (agreement(table, splits=5).counts[:3] == agreement(table, splits=3).counts).all()


def test_progress_is_told_split_by_split() -> None:
    told: list[str] = []
    agreement(random_table(3, 10), splits=3, on_progress=told.append)
    assert told == ["1 of 3", "2 of 3", "3 of 3"]


def test_what_is_missing_from_a_run_is_told() -> None:
    labels = {f"q{i}": {"d": 1} for i in range(6)}
    runs = {"whole": {query: {"d": 1.0} for query in labels}, "partial": {"q0": {"d": 1.0}}}
    ranks = tr.evaluate(labels, runs, "RR").first_ranks(10)
    assert "partial: 5 labelled queries missing." in agreement(ranks.reciprocal(), splits=2).notes


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (table_of({"a": [1.0] * 4}), {}, "Found 1 run; expected at least two"),
        (table_of({"a": [1.0] * 3, "b": [1.0] * 3}), {}, "Found 3 queries; expected at least 4"),
        (table_of({"a": [1.0] * 4, "b": [1.0, np.nan, 1, 1]}, "ESL@100"), {}, "without a value of ESL@100"),
        (table_of({"a": [1.0] * 4, "b": [1.0] * 4}), {"splits": 0}, "splits: found 0"),
        (table_of({"a": [1.0] * 4, "b": [1.0] * 4}), {"alpha": 1.5}, "alpha: found 1.5"),
        (table_of({"a": [1.0] * 4, "b": [1.0] * 4}), {"method": "exact"}, "method: found 'exact'; expected one of"),
        (table_of({"a": [1.0] * 4, "b": [1.0] * 4}), {"reading": "4c"}, "reading: found '4c'; expected one of text"),
    ],
)
def test_what_cannot_be_split_is_refused(table: tr.ScoreTable, options: dict[str, object], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        agreement(table, **options)  # type: ignore[arg-type]


def test_a_column_that_was_not_published_is_refused(found: Agreement) -> None:
    with pytest.raises(tr.InputError, match="Found t with the median; expected one of sign with the mean"):
        found.rates("t", "median")
    with pytest.raises(tr.InputError, match="reading: found 'other'"):
        found.read_as("other")  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["AP", "RR"])
def test_real_runs_are_counted_as_by_a_plain_loop_over_scipy(measure: str, shared_data: Path) -> None:
    table = tr.read_scores(shared_data / "score-matrices" / f"adhoc8_{measure.lower()}.csv", measure=measure)
    expected = REFERENCE[measure]["scipy"]
    assert agreement(table, splits=len(expected)).counts.tolist() == expected


@pytest.mark.parametrize("measure", ["AP", "RR"])
def test_real_runs_agree_as_often_as_they_used_to(measure: str, shared_data: Path) -> None:
    """Regression: the values are our own, from ``tests/reference/make_adhoc8_agreement.py``."""
    table = tr.read_scores(shared_data / "score-matrices" / f"adhoc8_{measure.lower()}.csv", measure=measure)
    read = agreement(table, splits=REFERENCE[measure]["regression_splits"])
    for reading, columns in REFERENCE[measure]["regression"].items():
        for row in read.read_as(reading).to_frame().to_dicts():
            rates = [row[name] for name in ("agree", "partial", "disagree", "significant", "tie_rate")]
            # The p-value of a pair may lie so near the level that another machine's last bit decides.
            assert rates == pytest.approx(columns[f"{row['test']} {row['aggregate']}"], abs=1e-4)
