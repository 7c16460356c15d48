from __future__ import annotations

import pytest

import toprung as tr
from toprung.report.latex import escape, to_latex
from toprung.result import Result, Table


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
        ("a|b", r"a\textbar{}b"),
        ('say "x"', "say ''x''"),
        ("\\{", r"\textbackslash{}\{"),
        ("plain-Name 1.5", "plain-Name 1.5"),
    ],
)
def test_what_latex_would_take_as_a_command_is_escaped(text: str, typeset: str) -> None:
    assert escape(text) == typeset


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("1–4", "1--4"),
        ("a — b", "a --- b"),
        ("−0.1", "$-$0.1"),
        ("within ±0.2", r"within $\pm$0.2"),
        ("p ≥ 0.1 ≤ 1 ≈ x ≠ y", r"p $\geq$ 0.1 $\leq$ 1 $\approx$ x $\neq$ y"),
        ("τ, α, γ, Δ", r"$\tau$, $\alpha$, $\gamma$, $\Delta$"),
        ("3 × 5", r"3 $\times$ 5"),
        ("a′ 5° ∞", r"a$^{\prime}$ 5$^{\circ}$ $\infty$"),
        ("a → b …", r"a $\rightarrow$ b \ldots{}"),
        ("“so” it’s", "``so'' it's"),
        ("5\u00a0000 x²", r"5~000 x$^{2}$"),
        ("● ○ ½", r"$\bullet$ $\circ$ $1/2$"),
    ],
)
def test_the_signs_of_our_words_are_set_as_a_paper_sets_them(text: str, typeset: str) -> None:
    assert escape(text) == typeset


@pytest.mark.parametrize("name", ["Ørsted", "Müller", "Łódź", "naïve-é", "Škoda", "cafe\u0301"])
def test_letters_that_latex_has_stay_as_they_are(name: str) -> None:
    assert escape(name) == name.replace("e\u0301", "é")


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("🏆 first", "[U+1F3C6] first"),
        ("a🏆🥇b", "a[U+1F3C6 U+1F947]b"),
        ("שלום", "[U+05E9 U+05DC U+05D5 U+05DD]"),
        ("bm25\u202e", "bm25[U+202E]"),
        ("bell\x07", "bell[U+0007]"),
        ("ąđ", "[U+0105 U+0111]"),  # LaTeX has them in another encoding than its first
        ("q\u0301", "q[U+0301]"),
        ("\udcff", "[U+DCFF]"),
    ],
)
def test_what_pdflatex_cannot_set_stands_as_its_code_points(text: str, typeset: str) -> None:
    assert escape(text) == typeset


@pytest.mark.parametrize(
    ("text", "typeset"),
    [("a--b", "a-{}-b"), ("a---b", "a-{}-{}-b"), ("it''s", "it'{}'s"), ("?`", "?{}`"), ("``", "`{}`"), (",,", ",{},")],
)
def test_signs_in_a_row_do_not_melt_into_another_sign(text: str, typeset: str) -> None:
    assert escape(text) == typeset


def test_lines_and_tabs_in_a_name_are_blanks() -> None:
    assert escape("two\n\n\tlines") == "two lines"


def test_a_row_that_is_set_in_stays_set_in() -> None:
    assert escape("  5th–95th pct.") == r"\quad{}5th--95th pct."


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


def comments_of(result: Result) -> list[str]:
    return [line.removeprefix("% ") for line in to_latex(result).splitlines() if line.startswith("%")]


def test_the_sentence_and_the_notes_are_comments(two_tables: Result) -> None:
    assert comments_of(two_tables) == ["So it is.", "Mind that.", r"needs \usepackage{booktabs}"]


def test_what_stands_as_code_points_is_named_once_in_a_comment(two_tables: Result) -> None:
    class Trophies(type(two_tables)):  # type: ignore[misc]  # the class of a fixture
        table = Table(header=("🏆",), rows=(("🏆 a",), ("Ωמ",)))

    assert comments_of(Trophies())[2:4] == [
        "[U+1F3C6] is 🏆, which XeLaTeX and LuaLaTeX can set",
        "[U+05DE] is מ, which XeLaTeX and LuaLaTeX can set",
    ]


def test_a_name_of_several_lines_cannot_leave_its_comment() -> None:
    runs = {"a\n\\input{secret}\r\x0b\u2028x": {"q1": {"a": 1.0}, "unknown": {"a": 1.0}}}
    text = to_latex(tr.evaluate({"q1": {"a": 1}}, runs, "RR"))
    uncommented = [line for line in text.splitlines() if not line.startswith("%")]
    assert not [line for line in uncommented if r"\input" in line]
    assert text.splitlines() == text.split("\n")[:-1]


@pytest.mark.parametrize("name", ["[0pt] x", "*best", "🏆"])
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
