"""A table to paste into a paper: booktabs, no other package."""

from __future__ import annotations

from toprung.result import Result

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
}


def to_latex(result: Result) -> str:
    """The result's table; its sentence and notes stand above as comments."""
    table = result.table
    columns = "".join("r" if i in table.numeric else "l" for i in range(len(table.header)))
    comments = [f"% {line}" for text in (result.sentence, *result.notes) for line in text.splitlines()]
    lines = [
        *comments,
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(table.header),
        r"\midrule",
        *map(_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"


def escape(text: str) -> str:
    """Make any text safe to typeset."""
    return "".join(SPECIAL.get(character, character) for character in text)
