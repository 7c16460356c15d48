"""A table to paste into a paper: booktabs, no other package."""

from __future__ import annotations

from toprung.result import Result, Table

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
    "−": "$-$",
    "Δ": r"$\Delta$",
}


def to_latex(result: Result) -> str:
    """The result's tables; its sentence and notes stand above as comments."""
    comments = [f"% {line}" for text in (result.sentence, *result.notes) for line in text.splitlines()]
    head = "\n".join([*comments, r"% needs \usepackage{booktabs}"])
    return "\n\n".join([head, *map(_tabular, result.paper_tables())]) + "\n"


def _tabular(table: Table) -> str:
    columns = "".join("r" if i in table.numeric else "l" for i in range(len(table.header)))
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(table.header),
        r"\midrule",
        *map(_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    line = " & ".join(map(escape, cells))
    guard = "{}" if line.startswith(("[", "*")) else ""  # else an option of the line end or rule above
    return rf"{guard}{line} \\"


def escape(text: str) -> str:
    """Make any text safe to typeset."""
    return "".join(SPECIAL.get(character, character) for character in text)
