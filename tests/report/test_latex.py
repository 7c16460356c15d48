from __future__ import annotations

import pytest

import toprung as tr
from toprung.report.latex import escape, to_latex


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("a_b", r"a\_b"),
        ("a&b", r"a\&b"),
        ("50%", r"50\%"),
        ("$x$", r"\$x\$"),
        ("#1", r"\#1"),
        ("{x}", r"\{x\}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("~", r"\textasciitilde{}"),
        ("x^2", r"x\textasciicircum{}2"),
        ("<b>", r"\textless{}b\textgreater{}"),
        ("–", "--"),
        ("\\{", r"\textbackslash{}\{"),
        ("plain-Name 1.5", "plain-Name 1.5"),
        ("עברית 🏆 é", "עברית 🏆 é"),
    ],
)
def test_what_latex_would_take_as_a_command_is_escaped(text: str, typeset: str) -> None:
    assert escape(text) == typeset


def test_the_table_is_a_booktabs_tabular() -> None:
    runs = {"bm25_rm3": {"q1": {"a": 1.0}}, "none": {"q1": {"x": 1.0}}}
    text = to_latex(tr.evaluate({"q1": {"a": 1}}, runs, ["RR", "nDCG(dcg='exp-log2')@10", "ESL"]))
    lines = [line for line in text.splitlines() if line and not line.startswith("%")]
    assert lines == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"run & RR & nDCG(dcg='exp-log2')@10 & ESL \\",
        r"\midrule",
        r"bm25\_rm3 & 1.0000 & 1.0000 & 1.0000 \\",
        r"none & 0.0000 & 0.0000 & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_the_sentence_and_the_notes_are_comments(evaluation: tr.Evaluation) -> None:
    comments = [line for line in to_latex(evaluation).splitlines() if line.startswith("%")]
    assert comments[0] == f"% {evaluation.sentence}"
    assert len(comments) == 1 + len(evaluation.notes) + 1
    assert r"% needs \usepackage{booktabs}" in comments


def test_a_name_of_several_lines_cannot_leave_its_comment() -> None:
    runs = {"a\n\\input{secret}": {"q1": {"a": 1.0}, "unknown": {"a": 1.0}}}
    text = to_latex(tr.evaluate({"q1": {"a": 1}}, runs, "RR"))
    uncommented = [line for line in text.splitlines() if not line.startswith("%")]
    assert not [line for line in uncommented if r"\input" in line]


@pytest.mark.parametrize("name", ["[0pt] x", "*best"])
def test_a_name_at_the_start_of_a_row_is_not_taken_as_an_option_of_the_row_end_before(name: str) -> None:
    # `\\` and `\midrule` look past the line end for a star or [length].
    text = to_latex(tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR"))
    row = text.splitlines()[text.splitlines().index(r"\midrule") + 1]
    assert not row.startswith(("[", "*"))


def test_every_name_stands_escaped_in_its_row(evaluation: tr.Evaluation, awkward: str) -> None:
    lines = to_latex(evaluation).splitlines()
    row = lines[lines.index(r"\midrule") + 1]
    assert escape(awkward).lstrip("[") in row
    assert row.endswith(r" & 0.6667 & 2.0000 & 4 \\")
