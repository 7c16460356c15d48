from __future__ import annotations

import pytest

import toprung as tr
from toprung.scoring.catalogue import BY_NAME
from toprung.scoring.measure import Aggregate, Cutoff, Definition, Measure, settle, spell, split_name
from toprung.scoring.measures import NATIVE
from toprung.scoring.ranked_labels import Floats, RankedLabels


def nothing(ranked: RankedLabels, **_: object) -> Floats:
    raise AssertionError("nobody asks for this here")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("RR", ("RR", {}, None)),
        ("nDCG@10", ("nDCG", {}, 10)),
        (" nDCG@10 ", ("nDCG", {}, 10)),
        ("RR(rel=2)@100", ("RR", {"rel": 2}, 100)),
        ("RBP(p=0.5, rel=1)", ("RBP", {"p": 0.5, "rel": 1}, None)),
        ("nDCG(dcg='exp-log2')@10", ("nDCG", {"dcg": "exp-log2"}, 10)),
        ('nDCG(dcg="exp-log2")', ("nDCG", {"dcg": "exp-log2"}, None)),
        ("RR()", ("RR", {}, None)),
        ("RR(rel=-1)", ("RR", {"rel": -1}, None)),
    ],
)
def test_a_name_is_taken_apart(text: str, parts: tuple[str, dict[str, object], int | None]) -> None:
    assert split_name(text) == parts


@pytest.mark.parametrize(
    "text", ["", "@10", "nDCG@", "nDCG@ten", "nDCG@-1", "P@5(rel=2)", "RR rel=2", "RR(rel=2", "a b"]
)
def test_a_text_that_is_no_measure_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        split_name(text)
    assert str(refusal.value) == f"Found measure '{text}'; expected a name such as RR, nDCG@10 or P(rel=2)@5."


@pytest.mark.parametrize("text", ["RR@0", "RR@2147483648", "RR@99999999999"])
def test_a_cutoff_that_no_run_can_have_is_refused(text: str) -> None:
    with pytest.raises(tr.MeasureError, match=r"Found cutoff @\d+; expected a whole number from 1 to 2147483647"):
        split_name(text)


def test_a_cutoff_of_five_thousand_digits_is_refused_like_any_other() -> None:
    with pytest.raises(tr.MeasureError):
        split_name("RR@" + "1" * 5000)


@pytest.mark.parametrize(
    "arguments",
    ["2", "rel", "rel=", "rel=x", "rel=1+1", "rel=open('f')", "rel=2;", "*[1]", "rel=2)(rel=1", "rel=2).x(rel=1"],
)
def test_parameters_that_are_not_plain_are_refused(arguments: str) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        split_name(f"RR({arguments})@10")
    expected = "expected parameters such as (rel=2) or (p=0.8, rel=1)."
    assert str(refusal.value) == f"Found '({arguments})' in measure 'RR({arguments})@10'; {expected}"


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(tr.MeasureError):
        split_name("RR(rel=1, rel=2)")


def test_a_thousand_nested_brackets_are_refused_and_do_no_harm() -> None:
    with pytest.raises(tr.MeasureError):
        split_name("RR(rel=" + "(" * 1000 + ")" * 1000 + ")")


def test_settling_completes_the_parameters_with_their_defaults() -> None:
    definition = Definition(name="X", summary="", score=nothing, parameters={"p": 0.8, "rel": 1})
    assert settle(definition, {"rel": 2}, 5) == Measure(definition, (("p", 0.8), ("rel", 2)), 5)


@pytest.mark.parametrize(
    ("definition", "parameters", "cutoff", "message"),
    [
        ({"parameters": {"rel": 1}}, {"level": 2}, None, "Found parameter 'level' in 'X(level=2)'; X has: rel."),
        ({}, {"rel": 2}, None, "Found parameter 'rel' in 'X(rel=2)'; X has: none."),
        ({"parameters": {"rel": 1}}, {"rel": "2"}, None, "Found rel='2' in 'X(rel='2')'; expected a whole number."),
        ({"parameters": {"rel": 1}}, {"rel": 1.5}, None, "Found rel=1.5 in 'X(rel=1.5)'; expected a whole number."),
        ({"parameters": {"rel": 1}}, {"rel": True}, None, "Found rel=True in 'X(rel=True)'; expected a whole number."),
        ({"parameters": {"rel": None}}, {"rel": "a"}, 3, "Found rel='a' in 'X(rel='a')@3'; expected a whole number."),
        ({"parameters": {"p": 0.8}}, {"p": "x"}, None, "Found p='x' in 'X(p='x')'; expected a number."),
        ({"parameters": {"dcg": "log2"}}, {"dcg": 2}, None, "Found dcg=2 in 'X(dcg=2)'; expected a text in quotes."),
        ({"cutoff": Cutoff.REQUIRED}, {}, None, "Found 'X'; X needs a cutoff: write X@10."),
        ({"cutoff": Cutoff.NONE}, {}, 10, "Found 'X@10'; X takes no cutoff: leave out @10."),
        (
            {"parameters": {"p": 0.8}, "check": lambda p: None if p < 1 else "p below 1"},
            {"p": 3},
            None,
            "Found 'X(p=3)'; expected p below 1.",
        ),
    ],
)
def test_what_does_not_fit_the_definition_is_refused(
    definition: dict[str, object], parameters: dict[str, object], cutoff: int | None, message: str
) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        settle(Definition(name="X", summary="", score=nothing, **definition), parameters, cutoff)  # type: ignore[arg-type]
    assert str(refusal.value) == message


def test_a_needed_parameter_must_be_given_and_is_always_written() -> None:
    definition = Definition(name="X", summary="", score=nothing, parameters={"of": "a", "rel": 1}, needed=("of",))
    assert str(settle(definition, {"of": "a"}, 3)) == "X(of='a')@3"
    with pytest.raises(tr.MeasureError) as refusal:
        settle(definition, {"rel": 2}, 3)
    assert str(refusal.value) == "Found 'X(rel=2)@3'; X needs of: write it as X(of='a', rel=1)[@k]."


def test_parameters_are_held_in_the_spelling_they_are_known_by() -> None:
    definition = Definition(
        name="X", summary="", score=nothing, parameters={"of": "a"}, respell=lambda of: {"of": of.lower()}
    )
    assert settle(definition, {"of": "B"}, None) == settle(definition, {"of": "b"}, None)


def test_a_whole_number_will_do_where_a_number_is_asked_for() -> None:
    definition = Definition(name="X", summary="", score=nothing, parameters={"p": 0.8})
    assert settle(definition, {"p": 1}, None).parameters == (("p", 1),)


@pytest.mark.parametrize(
    ("parameters", "cutoff", "spelling"),
    [
        ({}, None, "X"),
        ({}, 10, "X@10"),
        ({"rel": 2}, 10, "X(rel=2)@10"),
        ({"dcg": "exp-log2"}, None, "X(dcg='exp-log2')"),
        ({"p": 0.5, "rel": 1}, None, "X(p=0.5, rel=1)"),
    ],
)
def test_a_measure_is_spelled_as_it_is_read(parameters: dict[str, object], cutoff: int | None, spelling: str) -> None:
    assert spell("X", parameters, cutoff) == spelling
    assert split_name(spelling) == ("X", parameters, cutoff)


SIGNATURES = {
    "RR": "RR(rel=1, mth=1, ties='doc_id')[@k]",
    "ESL": "ESL(rel=1, mth=1, ties='doc_id')[@k]",
    "nDCG": "nDCG(dcg='log2')[@k]",
    "NCG": "NCG@k",
    "AP": "AP(rel=1)[@k]",
    "P": "P(rel=1)@k",
    "R": "R(rel=1)[@k]",
    "Success": "Success(rel=1)@k",
    "RBP": "RBP(p=0.8, rel=None)[@k]",
    "ERR": "ERR[@k]",
    "Interval": "Interval(of='nDCG')@k",
    "Judged": "Judged[@k]",
    "NumRet": "NumRet",
    "NumRel": "NumRel(rel=1)",
    "NumRelRet": "NumRelRet(rel=1)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signature_shows_the_defaults_and_whether_a_cutoff_is_taken(name: str) -> None:
    assert BY_NAME[name].signature == SIGNATURES[name]


def test_only_esl_is_better_when_lower_and_only_counts_are_added_up() -> None:
    known = [each for each in NATIVE if each.name in SIGNATURES]
    assert [each.name for each in known if not each.higher_is_better] == ["ESL"]
    assert [each.name for each in known if each.aggregate is Aggregate.MEAN_OF_ANSWERED] == ["ESL"]
    summed = [each.name for each in known if each.aggregate is Aggregate.SUM]
    assert summed == ["NumRet", "NumRel", "NumRelRet"]
