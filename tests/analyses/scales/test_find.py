from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.analyses.scales.check import MOST_LISTED
from toprung.analyses.scales.find import check_scale, check_scales
from toprung.analyses.scales.words import show_decimals, show_ranking, show_value
from toprung.report.render import OutputFormat, render
from toprung.scoring.measure import Cutoff, Definition, Measure
from toprung.scoring.measures import NATIVE
from toprung.scoring.ranked_labels import Floats, RankedLabels
from toprung.stats.finding import Scale


def second_is_relevant(ranked: RankedLabels) -> Floats:
    """1 if the second document is relevant, whatever the first is."""
    return np.bincount(ranked.query, weights=ranked.rank == 2, minlength=len(ranked.labels)).astype(np.float64)


BACKWARD = Measure(Definition(name="Back", summary="", score=second_is_relevant, cutoff=Cutoff.NONE))


def test_rr_is_ordinal_but_not_equi_spaced() -> None:
    found = check_scale("RR", length=3, grades=2)
    assert (found.is_ordinal, found.is_equi_spaced) == (True, False)
    assert found.levels == pytest.approx([0, 1 / 3, 1 / 2, 1])
    assert found.gaps == pytest.approx([1 / 3, 1 / 6, 1 / 2])
    assert [row.example for row in found.rows()] == [(1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
    assert [row.gap for row in found.rows()] == [*map(pytest.approx, (1 / 2, 1 / 6, 1 / 3)), None]
    assert found.sentence == (
        "RR on all 8 rankings of 3 documents with 2 grades is ordinal but not equi-spaced: its 4 values lie 1/6 to 1/2 "
        "apart, and a difference of 1/6 leads to 1/6 and 5/6, which no ranking has; its mean presumes more than the "
        "ranking gives."
    )


def test_the_differences_that_cannot_be_laid_off_are_listed() -> None:
    found = check_scale("RR")
    # 1/3 leads to 2/3 from the top, 2/3 to 2/3 from the bottom; 1/2 and 1 can be laid off
    assert found.n_unreachable == 3
    assert [(show_value(each.difference), *map(show_value, each.unreachable)) for each in found.unreachable] == [
        ("1/6", "1/6", "5/6"),
        ("1/3", "2/3"),
        ("2/3", "2/3"),
    ]
    assert any("1/6 (between 1/3 and 1/2) to 1/6 and 5/6" in note for note in found.notes)


def test_a_difference_that_fails_at_both_ends_comes_before_a_smaller_one() -> None:
    # values 0, 1, 3, 7 for a miss and ranks 3, 2, 1: the difference 1 leads to 1 and to 6, which is none of them;
    # 2 to 2 and 5, neither of which is
    rr = tr.find_measure("RR")
    assert isinstance(rr, Measure)
    seven = Definition(
        name="Seven",
        summary="",
        score=lambda ranked: np.choose(np.rint(3 * rr.score(ranked)).astype(int), [0, 1, 3, 7]) + 0.0,
        cutoff=Cutoff.NONE,
    )
    found = check_scale(Measure(seven))
    assert found.levels.tolist() == [0, 1, 3, 7]
    assert [(each.difference, each.unreachable) for each in found.unreachable] == [
        (2, (2, 5)),
        (1, (6,)),
        (3, (4,)),
        (4, (4,)),
        (6, (6,)),
    ]


def test_the_table_shows_values_as_fractions_with_their_rankings() -> None:
    assert check_scale("RR").table.to_text() == (
        "    RR  exactly  rankings  to the next  which\n"
        "1.0000        1         4          1/2  111, 110, 101 and 100\n"
        "0.5000      1/2         2          1/6  011 and 010\n"
        "0.3333      1/3         1          1/3  001\n"
        "0.0000        0         1               000"
    )


def test_p_is_equi_spaced() -> None:
    found = check_scale("P@3", length=3, grades=4)
    assert (found.is_ordinal, found.is_equi_spaced, found.n_unreachable) == (True, True, 0)
    assert found.levels == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert found.counts.tolist() == [1, 9, 27, 27]  # three grades count, one does not
    assert found.sentence == (
        "P@3 on all 64 rankings of 3 documents with 4 grades is ordinal and equi-spaced: its 4 values lie 1/3 apart; "
        "its mean presumes no more than the ranking gives."
    )
    assert not any("Craswell" in note for note in found.notes)


def test_the_other_view_and_the_equi_spaced_version_are_told() -> None:
    notes = check_scale("nDCG(dcg='exp-log2')@3").notes
    assert any("(Craswell et al. 2021, section 4.2): a measure should be equi-spaced in what users" in n for n in notes)
    assert any("Interval(of=\"nDCG(dcg='exp-log2')\")@3, the rank of each value" in note for note in notes)


def test_esl_is_better_when_lower_and_a_miss_is_left_out() -> None:
    found = check_scale("ESL", length=3, grades=2)
    assert (found.is_ordinal, found.is_equi_spaced) == (True, True)
    assert [(row.value, row.n_rankings, row.gap) for row in found.rows()] == [(1, 4, 1), (2, 2, 1), (3, 1, None)]
    assert found.n_without_value == 1
    assert found.n_steps == 16 - 3  # three steps lead from 000, which has no value
    assert any(note.startswith("Left out: 1 ranking has no ESL") for note in found.notes)


@pytest.mark.parametrize("definition", NATIVE, ids=lambda each: each.name)
@pytest.mark.parametrize("grades", [2, 4])
def test_every_own_measure_is_ordinal_and_none_claims_more_than_it_has(definition: Definition, grades: int) -> None:
    of = "(of='nDCG')" if definition.needed else ""
    cutoff = "@3" if definition.cutoff is Cutoff.REQUIRED else ""
    found = check_scale(f"{definition.name}{of}{cutoff}", length=3, grades=grades)
    assert found.is_ordinal
    if definition.scale.permits(Scale.INTERVAL):
        assert found.agrees_with_declared


def test_a_measure_that_falls_for_better_rankings_is_not_even_ordinal() -> None:
    # 1 if a relevant document stands second: 01 to 10 is the only fall of the five steps
    found = check_scale(BACKWARD, length=2, grades=2)
    assert (found.is_ordinal, found.n_steps, found.n_falls) == (False, 5, 1)
    (fall,) = found.falls
    assert (fall.ranking, fall.value, fall.better_ranking, fall.worse_value) == ((0, 1), 1, (1, 0), 0)
    assert found.sentence == (
        "Back on all 4 rankings of 2 documents with 2 grades is not even ordinal: in 1 of 5 steps to a better ranking "
        "it gets worse, such as 01 to 10, from 1 to 0."
    )
    assert "Not ordinal: 10 is better than 01; from 1 to 0." in found.notes


def test_many_falls_are_counted_and_the_first_are_listed() -> None:
    found = check_scale(BACKWARD, length=12, grades=2)
    assert found.n_falls == 2**10  # 01 at the first two places, whatever follows
    assert len(found.falls) == MOST_LISTED


def test_a_scale_that_is_better_than_declared_is_said() -> None:
    found = check_scale("RBP(p=0.5)", length=4)  # 1/16 apart, as known; declared ordinal
    assert found.is_equi_spaced
    assert not found.agrees_with_declared
    assert any(note.startswith("Declared scale of RBP(p=0.5): ordinal; other lengths") for note in found.notes)


def test_a_scale_that_is_worse_than_declared_is_said() -> None:
    rr = tr.find_measure("RR")
    assert isinstance(rr, Measure)
    found = check_scale(replace(rr, definition=replace(rr.definition, scale=Scale.INTERVAL)))
    assert "Declared scale of RR: interval, which these values do not bear out." in found.notes
    assert check_scale("RR").agrees_with_declared


def test_a_cutoff_beyond_the_rankings_is_said() -> None:
    assert "Cutoff: RR@10 looks at 10 documents, but these rankings have 3." in check_scale("RR@10").notes
    assert not any(note.startswith("Cutoff") for note in check_scale("RR@2").notes)


def test_a_constant_measure_has_no_scale() -> None:
    found = check_scale("NumRel", length=3)
    assert found.is_constant
    assert found.sentence == "NumRel is 3 on all 8 rankings of 3 documents with 2 grades: it tells none of them apart."
    assert check_scales(["NumRel"]).table.rows[0][2:7] == ("1", "", "", "–", "–")


def test_a_measure_without_any_value_has_nothing_to_check() -> None:
    found = check_scale("ESL(rel=5)", length=1)
    assert found.sentence == "ESL(rel=5) has no value on any of 2 rankings of 1 document with 2 grades."
    assert found.to_dict()["values"] == []


def test_several_measures_have_a_row_each() -> None:
    found = check_scales(["RR", "nDCG@3", "P@3"], length=3, grades=2)
    assert [row[:3] for row in found.table.rows] == [
        ("RR", "ordinal", "4"),
        ("nDCG@3", "ordinal", "8"),
        ("P@3", "interval", "4"),
    ]
    assert found.table.rows[0][3:] == ("1/6", "1/2", "yes", "no", "3")
    assert found.sentence == (
        "On all 8 rankings of 3 documents with 2 grades P@3 is ordinal and equi-spaced; "
        "RR and nDCG@3 are ordinal, not equi-spaced."
    )
    assert found["MRR"].levels == pytest.approx([0, 1 / 3, 1 / 2, 1])
    with pytest.raises(tr.InputError, match="Found no check of 'AP'; expected one of RR, nDCG@3, P@3"):
        found["AP"]


def test_with_too_many_values_differences_are_not_counted() -> None:
    found = check_scale("nDCG", length=12)
    assert found.n_unreachable is None
    assert found.unreachable == ()
    assert "Unreachable: differences between 4,096 values were not tried one by one." in found.notes
    assert "Not shown: 4,056 of 4,096 values; CSV and JSON output have all." in found.notes
    assert len(found.table.rows) == 40
    assert found.to_frame().height == 4096
    assert check_scales(["nDCG"], length=12).table.rows[0][-1] == "not counted"


@settings(max_examples=30)
@given(
    measure=st.sampled_from(["RR", "nDCG", "AP", "ERR", "RBP", "NCG@2", "Success@2", "ESL"]),
    length=st.integers(1, 4),
    grades=st.integers(2, 4),
)
def test_a_measure_has_unreachable_differences_just_where_it_is_not_equi_spaced(
    measure: str, length: int, grades: int
) -> None:
    found = check_scale(measure, length=length, grades=grades)
    assert (found.n_unreachable == 0) == (found.is_equi_spaced or found.is_constant)
    assert found.counts.sum() + found.n_without_value == found.n_rankings == grades**length
    for row in found.rows():
        level = found.level_of[sum(grade * grades**power for power, grade in enumerate(reversed(row.example)))]
        assert found.levels[level] == row.value


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_can_be_written(output_format: OutputFormat) -> None:
    assert "RR" in render(check_scale("RR"), output_format) or output_format is OutputFormat.CSV
    assert "nDCG@3" in render(check_scales(["RR", "nDCG@3", "NumRel"]), output_format)


def test_json_holds_everything() -> None:
    found = json.loads(json.dumps(check_scale("RR").to_dict(), allow_nan=False))
    assert found["values"][0] == {"value": 1, "n_rankings": 4, "example": [1, 1, 1], "gap": 0.5}
    assert found["unreachable_differences"][0]["unreachable"] == pytest.approx([1 / 6, 5 / 6])
    assert found["provenance"] == {
        "measure": "RR",
        "length": 3,
        "grades": 2,
        "n_rankings": 8,
        "toprung": tr.__version__,
    }


def test_the_frame_has_a_row_for_each_value() -> None:
    frame = check_scale("RR").to_frame()
    assert frame["example"].to_list() == ["111", "011", "001", "000"]
    assert frame["n_rankings"].to_list() == [4, 2, 1, 1]
    assert check_scales(["RR", "NumRel"]).to_frame()["smallest_gap"].to_list() == [pytest.approx(1 / 6), None]


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("RR", {"length": 0}, "length: found 0; expected a whole number from 1"),
        ("RR", {"length": 2.5}, "length: found 2.5"),
        ("RR", {"grades": 1}, "grades: found 1; expected a whole number from 2 to 100"),
        ("RR", {"grades": 10**6}, "grades: found 1000000"),
        ("RR", {"length": 21}, "Found more rankings of 21 documents with 2 grades .* at most 20"),
        ("P", {}, "P needs a cutoff"),
        ("RR(ties='expected')", {}, "expected no ties="),
    ],
)
def test_what_cannot_be_checked_is_refused(measure: str, options: dict[str, int], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        check_scale(measure, **options)


def test_measures_of_ir_measures_are_refused() -> None:
    pytest.importorskip("ir_measures")
    with pytest.raises(tr.MeasureError, match="Found 'Bpref', which ir_measures computes; expected only Toprung's own"):
        check_scale("Bpref")


def test_no_measure_at_all_is_refused() -> None:
    with pytest.raises(tr.InputError, match="Found no measure"):
        check_scales([])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (1 - 5 / 6, "1/6"),
        (-1 / 3, "−1/3"),
        (1 / 100, "1/100"),
        (1 / 101, "0.0099"),
        (0.6309297535714575, "0.6309"),
        (2.5e-7, "2.5e-07"),
        (1e-13, "1.0e-13"),
        (3.0, "3"),
    ],
)
def test_values_are_fractions_where_they_are_simple(value: float, shown: str) -> None:
    assert show_value(value) == shown


def test_decimals_never_make_a_small_value_look_like_none() -> None:
    assert (show_decimals(0.0), show_decimals(1e-4), show_decimals(4e-5)) == ("0.0000", "0.0001", "4.0e-05")


def test_grades_of_two_digits_are_parted() -> None:
    assert show_ranking((10, 0), 11) == "10-0"
