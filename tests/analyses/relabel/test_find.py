from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.relabel.find import rescore
from toprung.analyses.relabel.tables import Relabelled
from toprung.analyses.run_scores import score_runs
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import PreferenceQrels, QrelsManifest
from toprung.report.render import OutputFormat, render
from toprung.stats.intervals.bootstrap import Effect, mean_intervals


def run_of(*rankings: str) -> dict[str, dict[str, float]]:
    """The ranking of each query q0, q1, …, one letter a document."""
    return {f"q{i}": {doc: float(-rank) for rank, doc in enumerate(docs)} for i, docs in enumerate(rankings)}


def labels_of(*docs: str) -> Qrels:
    return Qrels.from_dict({f"q{i}": dict.fromkeys(each, 1) for i, each in enumerate(docs) if each})


# The label of every query was O; for q0 and q1 N is better, q2 keeps O. Query q3 was not judged again.
OLD, NEW = labels_of("O", "O", "O", "O"), labels_of("N", "N", "O")
RUNS = {
    "old": run_of("ON", "ON", "ON", "XO"),  # before 1, now 1/2 1/2 1
    "new": run_of("NO", "NO", "ON", "O"),  # before 1/2 1/2 1, now 1
    "poor": run_of("XY", "XO", "XO", "O"),  # before 0 1/2 1/2, now 0 0 1/2
}


@pytest.fixture(scope="module")
def found() -> Relabelled:
    return rescore(OLD, NEW, RUNS)


def test_each_run_has_its_score_and_place_before_and_now(found: Relabelled) -> None:
    assert {row.run: (row.before.estimate, row.after.estimate) for row in found.rows} == {
        "new": pytest.approx((2 / 3, 1)),
        "old": pytest.approx((1, 2 / 3)),
        "poor": pytest.approx((1 / 3, 1 / 6)),
    }
    assert [(row.run, row.place_before, row.place_after, row.move) for row in found.rows] == [
        ("new", 2, 1, 1),
        ("old", 1, 2, -1),
        ("poor", 3, 3, 0),
    ]


def test_intervals_are_those_of_the_bootstrap_of_queries(found: Relabelled) -> None:
    now = np.array([[1, 0.5, 0], [1, 0.5, 0], [1, 1, 0.5]])
    before = np.array([[0.5, 1, 0], [0.5, 1, 0.5], [1, 1, 0.5]])
    perfect = np.array([[0], [0], [1.0]])
    effects = mean_intervals(np.hstack([before, now, now - perfect]), rng=0)
    assert [found[run].before for run in ("new", "old", "poor")] == effects[:3]
    assert [found[run].after for run in ("new", "old", "poor")] == effects[3:6]
    assert [found[run].over_perfect for run in ("new", "old", "poor")] == effects[6:]


def test_the_perfect_ranking_is_scored_under_the_new_labels(found: Relabelled) -> None:
    # it has nothing but O: right in q2 alone
    assert (found.perfect_before, found.perfect_after) == (1.0, pytest.approx(1 / 3))
    assert [row[0] for row in found.table.rows] == ["new", "old", "perfect ranking", "poor"]


def test_a_run_whose_lead_is_clear_of_zero_is_better_than_perfect() -> None:
    n = 30
    old, new = labels_of(*["O"] * n), labels_of(*["N"] * (n - 2), "O", "O")
    runs = {"ahead": run_of(*["NO"] * n), "even": run_of(*["OX"] * n)}
    assert rescore(old, new, runs).better_than_perfect == ("ahead",)


def test_a_lower_search_length_than_perfect_is_better_than_perfect() -> None:
    n = 30
    old = Qrels.from_dict({f"q{i}": {"O": 2, "N": 1} for i in range(n)})
    found = rescore(old, labels_of(*["N"] * n), {"ahead": run_of(*["NO"] * n), "even": run_of(*["ON"] * n)}, "ESL")
    assert (found.perfect_after, found.better_than_perfect) == (2.0, ("ahead",))
    assert found.rows[0].run == "ahead"
    assert "has the lowest ESL" in found.sentence


def test_queries_are_those_with_both_labels_and_the_others_are_counted(found: Relabelled) -> None:
    assert (found.n_queries, found.n_without_new, found.n_only_new) == (3, 1, 0)
    assert found.notes[0] == (
        "Queries: the 3 with a relevant document in both label sets; left out: 1 with original labels only."
    )
    more = rescore(labels_of("O"), labels_of("N", "N"), {"a": run_of("NO", "N")})
    assert (more.n_queries, more.n_only_new) == (1, 1)


def test_the_order_on_the_sample_is_checked_against_all_queries(found: Relabelled) -> None:
    # on all four by the old labels: old 3.5/4, new 3/4, poor 2/4; on three: 1, 2/3, 1/3
    assert found.sample is not None
    assert found.sample.is_same_order
    assert "the same order by RR@10 as on all 4." in found.notes[1]
    assert rescore(OLD, OLD, RUNS).sample is None


def test_tau_is_given_for_all_runs_and_for_those_that_were_first(found: Relabelled) -> None:
    assert found.tau == pytest.approx(1 / 3)
    assert math.isnan(found.tau_top)
    among_two = rescore(OLD, NEW, RUNS, top=2)
    assert among_two.tau_top == -1
    assert among_two.sentence == (
        "new has the highest RR@10 under the new labels, 1.0000 (place 2 of 3 before). "
        "Kendall's τ of the two orders is 0.33, −1.00 among the first 2 before."
    )


def test_the_first_runs_are_those_by_the_original_labels() -> None:
    runs = {"a": run_of("ON"), "b": run_of("XO"), "c": run_of("NXO")}  # before 1, 1/2, 1/3; now 1/2, 0, 1
    # of a and b the order stays; of c and a, which are first now, it is turned round
    assert rescore(labels_of("O"), labels_of("N"), runs, top=2).tau_top == 1


def test_a_lead_over_perfect_counts_only_if_its_whole_interval_does(found: Relabelled) -> None:
    leads = {"clear": (0.01, 0.2), "doubtful": (-0.01, 0.2), "at zero": (0.0, 0.2), "below": (-0.2, -0.01)}
    rows = tuple(
        replace(found.rows[0], run=run, over_perfect=Effect(estimate=0.1, low=low, high=high, confidence=0.95, n=3))
        for run, (low, high) in leads.items()
    )
    assert replace(found, rows=rows).better_than_perfect == ("clear",)
    assert replace(found, rows=rows, higher_is_better=False).better_than_perfect == ("below",)


def test_tau_and_places_are_of_the_queries_with_both_labels() -> None:
    # on both queries a leads by the old labels; on q0, which alone has a new one, b does
    runs = {"a": run_of("XO", "O"), "b": run_of("ON", "XYZO")}
    found = rescore(labels_of("O", "O"), labels_of("O"), runs)
    assert found.sample is not None
    assert not found.sample.is_same_order
    assert (found.tau, found["b"].place_before) == (1, 1)


def test_runs_that_share_the_lead_are_all_named() -> None:
    runs = {"a": run_of("NO"), "b": run_of("NX"), "c": run_of("ON")}
    assert rescore(labels_of("O"), labels_of("N"), runs).sentence.startswith(
        "a and b share the highest RR@10 under the new labels, 1.0000."
    )


def test_one_run_is_scored_and_nothing_is_ordered() -> None:
    found = rescore(OLD, NEW, {"old": RUNS["old"]})
    assert found.sentence == "old has RR@10 0.6667 under the new labels, 1.0000 before."


def test_a_query_the_run_lacks_scores_zero_and_is_said() -> None:
    found = rescore(OLD, NEW, {"short": run_of("NO"), "new": RUNS["new"]})
    assert found["short"].after.estimate == pytest.approx(1 / 3)
    assert "short: 2 labelled queries missing." in found.notes


def test_the_order_of_runs_and_queries_changes_nothing(found: Relabelled) -> None:
    old, new = (
        Qrels.from_dict(dict(reversed(labels.to_dict().items())), source=labels.source) for labels in (OLD, NEW)
    )
    turned = rescore(old, new, dict(reversed(RUNS.items()))).to_dict()
    expected = found.to_dict()
    for name in ("original_labels_digest", "new_labels_digest"):  # of the labels in another order
        turned["provenance"][name] = expected["provenance"][name]
    assert turned == expected


def test_the_seed_moves_intervals_and_nothing_else() -> None:
    rng = np.random.default_rng(8)
    rankings = ["".join(rng.permutation(list("NOXY"))) for _ in range(40)]
    old, new = labels_of(*["O"] * 40), labels_of(*["N"] * 40)
    one, other = (rescore(old, new, {"r": run_of(*rankings)}, seed=seed)["r"].after for seed in (1, 2))
    assert one.estimate == other.estimate
    assert (one.low, one.high) != (other.low, other.high)


def test_the_result_goes_into_json_and_frames(found: Relabelled) -> None:
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["runs"][0]["move"] == 1
    assert back["tau_top"] is None
    assert back["provenance"] == {
        "measure": "RR@10",
        "original_labels_digest": OLD.digest,
        "new_labels_digest": NEW.digest,
        "n_queries": 3,
        "n_runs": 3,
        "seed": 0,
        "toprung": tr.__version__,
    }
    assert found.to_frame()["place_after"].to_list() == [1, 2, 3]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_can_be_shown_in_every_format(found: Relabelled, output_format: OutputFormat) -> None:
    assert "poor" in render(found, output_format)


def test_the_table_fits_a_screen(found: Relabelled) -> None:
    assert all(len(line) <= 120 for line in found.table.to_text().splitlines())


@pytest.mark.parametrize(
    ("new", "options", "message"),
    [
        ({"q9": {"N": 1}}, {}, "found no query with a relevant document that has one in"),
        ({"q0": {"N": 0}}, {}, "found no query with a relevant document"),
        ({"q0": {"N": 1}}, {"top": 1}, "top: found 1"),
    ],
)
def test_what_cannot_be_rescored_is_refused(
    new: dict[str, dict[str, int]], options: dict[str, int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        rescore(OLD, Qrels.from_dict(new), RUNS, **options)  # type: ignore[arg-type] # parametrised


def test_an_unknown_run_is_refused(found: Relabelled) -> None:
    with pytest.raises(InputError, match="Found no run 'x'"):
        found["x"]


def test_scores_that_are_known_already_are_not_computed_again(found: Relabelled) -> None:
    before = tr.evaluate(OLD, RUNS, "RR@10").score_table("RR@10").select(["poor", "new", "old"])
    again = rescore(OLD, NEW, RUNS, before=before)
    assert again.to_dict() == found.to_dict()
    halved = replace(before, values=before.values / 2)
    assert rescore(OLD, NEW, RUNS, before=halved)["old"].before.estimate == pytest.approx(1 / 2)


def test_scores_that_are_known_under_both_are_not_computed_again(found: Relabelled) -> None:
    before, after = (score_runs(labels, RUNS, "RR@10") for labels in (OLD, NEW))
    again = rescore(OLD, NEW, before=before, after=after)
    assert again.to_dict() == found.to_dict()


def test_scores_under_more_queries_than_both_have_count_for_those_of_both() -> None:
    """Of q9, which only the new labels have, nothing was known before."""
    wider = Qrels.from_dict(NEW.to_dict() | {"q9": {"N": 1}})
    before, after = score_runs(OLD, RUNS, "RR@10"), score_runs(wider, RUNS, "RR@10")
    again = rescore(OLD, wider, before=before, after=after)
    assert (again["old"].after.estimate, again.n_queries, again.n_only_new) == (pytest.approx(2 / 3), 3, 1)


def test_scores_of_other_runs_are_refused() -> None:
    before, after = score_runs(OLD, RUNS, "RR@10"), score_runs(NEW, RUNS, "RR@10")
    with pytest.raises(InputError, match="expected RR@10 of the 3 runs that were scored before"):
        rescore(OLD, NEW, before=before, after=after.select(["old", "new"]))


def test_without_runs_both_scores_are_needed() -> None:
    with pytest.raises(InputError, match="expected some, or their scores under both label sets"):
        rescore(OLD, NEW, before=score_runs(OLD, RUNS, "RR@10"))


def soft_labels(*chances: dict[str, int], same_text: dict[str, dict[str, str]] | None = None) -> PreferenceQrels:
    """Of each query q0, q1, … its possible labels, each with its P(best) in percent."""
    qrels = Qrels.from_dict({f"q{i}": each for i, each in enumerate(chances)})
    manifest = QrelsManifest(
        digest=qrels.digest,
        parent=None,
        judgments_digest="",
        policy="majority",
        created="2026-01-01T00:00:00+00:00",
        n_queries=qrels.n_queries,
        n_labels=len(qrels),
        n_undecided=0,
        incomplete=(),
        rule="strength",
        is_soft=True,
        same_text=same_text or {},
    )
    return PreferenceQrels(qrels=qrels, manifest=manifest)


def test_under_soft_labels_a_score_is_the_mean_over_possible_labels() -> None:
    found = rescore(OLD, soft_labels({"N": 75, "O": 25}, {"N": 100}, {"O": 100}), RUNS)
    # new: 3/4 · 1 + 1/4 · 1/2, 1, 1; old: 3/4 · 1/2 + 1/4 · 1, 1/2, 1
    assert found["new"].after.estimate == pytest.approx((0.875 + 1 + 1) / 3)
    assert found["old"].after.estimate == pytest.approx((0.625 + 0.5 + 1) / 3)
    # the perfect ranking has O first and nothing else: 1/4, 0, 1
    assert found.perfect_after == pytest.approx((0.25 + 0 + 1) / 3)


def test_doubt_about_labels_is_told_beside_the_interval() -> None:
    found = rescore(OLD, soft_labels({"N": 75, "O": 25}, {"N": 100}, {"O": 100}), RUNS)
    # q0 is 1 or 1/2 with 3/4 and 1/4: a standard deviation of √(3/64), over three queries
    assert found["new"].label_doubt == pytest.approx(1.96 * math.sqrt(3 / 64) / 3)
    assert found["poor"].label_doubt == 0  # it has neither
    assert found.doubt is not None
    assert (found.doubt.n_in_doubt, found.table.header[6]) == (1, "± labels")


def test_who_is_first_is_drawn_with_the_labels() -> None:
    # If q0 is N, new has 1, 1, 1 and old 1/2, 1/2, 1; if it is O, new has 1/2, 1, 1 and old 1, 1/2, 1: a tie.
    found = rescore(OLD, soft_labels({"N": 60, "O": 40}, {"N": 100}, {"O": 100}), RUNS)
    assert found.doubt is not None
    shares = {each.run: each.share for each in found.doubt.tops}
    assert shares == {"new": pytest.approx(0.6 + 0.2, abs=0.02), "old": pytest.approx(0.2, abs=0.02)}
    assert "By the doubt about labels, the top run is one of 2, new and old: " in found.sentence
    assert found.to_dict()["made_by"]["rule"] == "strength"


def test_documents_with_one_text_are_labels_together() -> None:
    same = soft_labels({"N": 60, "M": 60, "O": 40}, {"N": 100}, {"O": 100}, same_text={"q0": {"M": "N"}})
    found = rescore(OLD, same, {"m": run_of("MX", "N", "O")})
    # q0: M counts as N does, 60% of the time
    assert found["m"].after.estimate == pytest.approx((0.6 + 1 + 1) / 3)


def test_certain_labels_have_no_doubt_to_tell(found: Relabelled) -> None:
    assert found.doubt is None
    assert "± labels" not in found.table.header
    assert math.isnan(found["new"].label_doubt)
