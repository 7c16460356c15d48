"""The LaTeX of every kind of result: rows that fit their columns, and nothing but what a plain LaTeX knows."""

from __future__ import annotations

import importlib
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.every_result import Cast, make_overview, make_results

from toprung import analyses, data, labels, scoring
from toprung.report.latex import SIGNS, to_latex
from toprung.result import Result

CASTS = {
    "plain": Cast(),
    "awkward": Cast(
        runs=("a\\b{c}$d%e_f^g~h&i#", "[🏆] *x\n\\\\", "עברית \u202e ≥ é"), team="--|''", query="q`<", document="d,,"
    ),
}
KNOWN = {
    *("begin", "end", "toprule", "midrule", "bottomrule", "quad", "\\", ","),
    *("caption", "centering", "cite", "textbf", "textsuperscript"),
    *(command for sign in SIGNS.values() for command in re.findall(r"\\([A-Za-z]+|.)", sign)),
}


@cache
def results_of(cast: str) -> dict[str, Result]:
    return {**make_results(CASTS[cast]), "overview": make_overview(CASTS[cast])}


@pytest.fixture(params=CASTS)
def latex(request: pytest.FixtureRequest) -> dict[str, str]:
    """By the kind of result."""
    return {kind: to_latex(result) for kind, result in results_of(request.param).items()}


def result_classes(base: type[Result] = Result) -> Iterator[type[Result]]:
    """Of the library; what boards and their clients make of them is tested there."""
    for each in base.__subclasses__():
        module = each.__module__
        if module.startswith("toprung.") and not module.startswith(("toprung.web.", "toprung.client.")):
            yield each
        yield from result_classes(each)


def test_every_kind_of_result_is_here() -> None:
    for package in (analyses, data, labels, scoring):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    made = {type(result).__name__ for result in results_of("plain").values()}
    assert {each.__name__ for each in result_classes()} - made == set()


def uncommented(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("%"))


def test_all_rows_of_a_table_have_as_many_cells_as_it_has_columns(latex: dict[str, str]) -> None:
    for kind, text in latex.items():
        tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\n\\end\{tabular\}", text, re.DOTALL)
        assert tables, kind
        for columns, body in tables:
            rows = [line for line in body.splitlines() if line not in (r"\toprule", r"\midrule", r"\bottomrule")]
            assert all(line.endswith(r" \\") for line in rows), kind
            assert {len(re.findall(r"(?<!\\)&", line)) + 1 for line in rows} == {len(columns)}, kind


def test_every_table_has_its_three_rules_and_no_other(latex: dict[str, str]) -> None:
    for kind, text in latex.items():
        rules = re.findall(r"\\(\w+rule|hline)", uncommented(text))
        assert rules == ["toprule", "midrule", "bottomrule"] * text.count(r"\begin{tabular}"), kind


def test_braces_are_closed_in_every_line(latex: dict[str, str]) -> None:
    for kind, text in latex.items():
        for line in uncommented(text).splitlines():
            bare = re.sub(r"\\.", "", line)
            assert bare.count("{") == bare.count("}"), kind
            assert bare.count("$") % 2 == 0, kind


def test_no_command_is_used_that_a_plain_latex_does_not_know(latex: dict[str, str]) -> None:
    for kind, text in latex.items():
        used = set(re.findall(r"\\([A-Za-z]+|.)", uncommented(text)))
        assert used <= KNOWN, kind


def test_our_own_words_need_no_code_points() -> None:
    assert not [kind for kind, result in results_of("plain").items() if "[U+" in to_latex(result)]


TEX = next((found for found in map(shutil.which, ("pdflatex", "xelatex", "lualatex", "tectonic")) if found), None)
DOCUMENT = r"""\documentclass{article}
%s
\usepackage{booktabs}
\tracinglostchars=3
\begin{document}
%s
\end{document}
"""


@pytest.mark.skipif(TEX is None, reason="NO TEX: whether LaTeX takes the tables was not tried, only their structure")
@pytest.mark.parametrize("encoding", ["", r"\usepackage[T1]{fontenc}"], ids=["OT1", "T1"])
@pytest.mark.parametrize("cast", CASTS)
def test_latex_takes_every_table(cast: str, encoding: str, tmp_path: Path) -> None:
    assert TEX is not None
    tables = "\n\n\\clearpage\n".join(to_latex(result) for result in results_of(cast).values())
    (tmp_path / "paper.tex").write_text(DOCUMENT % (encoding, tables), encoding="utf-8")
    options = [] if TEX.endswith("tectonic") else ["-interaction=nonstopmode", "-halt-on-error", "-file-line-error"]
    done = subprocess.run(
        [TEX, *options, "paper.tex"], cwd=tmp_path, capture_output=True, check=False, timeout=300, errors="replace"
    )
    assert done.returncode == 0, done.stdout[-2_000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 0
    assert "Missing character" not in done.stdout
