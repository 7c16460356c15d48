"""A table to paste into a paper: booktabs, no other package, and letters that every LaTeX can set.

A paper is mostly set with pdfLaTeX, which stops at a letter it has no glyph for. Letters of Latin scripts stay, signs
become their commands, and anything else (emoji, other scripts, what nobody sees) stands as its code points, such as
``[U+1F3C6]``, with the letters themselves in a comment above: who sets with XeLaTeX or LuaLaTeX puts them back.
"""

from __future__ import annotations

import re
import unicodedata

from toprung.result import Mark, Passage, PassageKind, Result, Table
from toprung.words.visible import in_one_line

COMMANDS = {
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
    "|": r"\textbar{}",
    '"': "''",  # else a shorthand of babel's in some languages
    "–": "--",
    "—": "---",
    "‐": "-",
    "‑": "-",
    "“": "``",
    "”": "''",
    "„": "''",
    "‘": "`",
    "’": "'",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u2009": r"\,",
    "\u202f": r"\,",
    "§": r"\S{}",
    "©": r"\copyright{}",
    "†": r"\dag{}",
}
MATHS = {
    "−": "-",
    "±": r"\pm",
    "×": r"\times",
    "÷": r"\div",
    "·": r"\cdot",
    "°": r"^{\circ}",
    "′": r"^{\prime}",
    "∞": r"\infty",
    "√": r"\surd",
    "≈": r"\approx",
    "≠": r"\neq",
    "≤": r"\leq",
    "≥": r"\geq",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "●": r"\bullet",
    "○": r"\circ",
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "⁻": "^{-}",
    "⁺": "^{+}",
    **{sign: f"^{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"_{{{digit}}}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}
GREEK = {
    **dict(zip("αβγδεζηθικλμνξπρστυφχψω", (
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
        "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    ), strict=True)),
    **dict(zip("ΓΔΘΛΞΠΣΥΦΨΩ", (
        "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
    ), strict=True)),
}  # fmt: skip
SIGNS = {
    **COMMANDS,
    **{sign: f"${command}$" for sign, command in MATHS.items()},
    **{letter: rf"$\{name}$" for letter, name in GREEK.items()},
}
# The accents that LaTeX sets in its first encoding, OT1: a letter of ASCII with one of them, and letters of its own.
ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
LATIN = "ÆæŒœØøŁłßı"
LAST_OF_LATIN = "\u017e"
# Two of them in a row would be set as a dash, a quote or a Spanish mark.
LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=[`!?])(?=`)|(?<=,)(?=,)")
INDENT = r"\quad{}"


def to_latex(result: Result) -> str:
    """The result's tables, the first with its caption if it has one; its sentence and notes stand above as comments."""
    tables = result.paper_tables()
    comments = [in_one_line(text) for text in (result.sentence, *result.notes)]
    spelt = [f"{_spell(letters)} is {letters}, which XeLaTeX and LuaLaTeX can set" for letters in _spelt(tables)]
    head = "\n".join(f"% {line}" for line in (*comments, *spelt, r"needs \usepackage{booktabs}"))
    caption = next((each for each in result.passages if each.kind is PassageKind.CAPTION), None)
    first, *others = map(_tabular, tables)
    set_first = first if caption is None else _float(first, caption)
    passages = [_passage(each) for each in result.passages if each is not caption]
    return "\n\n".join([head, set_first, *others, *passages]) + "\n"


def _float(tabular: str, caption: Passage) -> str:
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_cited(caption)}}}",
        tabular,
        r"\end{table}",
    ]
    return "\n".join(lines)


def _passage(passage: Passage) -> str:
    """Code stands in comments, for it goes into another file."""
    if passage.kind is PassageKind.CODE:
        return "\n".join(f"% {line}".rstrip() for line in (f"{passage.heading}:", *passage.text.splitlines()))
    return f"% {passage.heading}:\n{_cited(passage)}"


def _cited(passage: Passage) -> str:
    pieces = (
        f"{' ' * each.startswith(' ')}{escape(each)}{'~' * each.endswith(' ')}"
        if isinstance(each, str)
        else rf"\cite{{{each.key}}}"
        for each in passage.pieces
    )
    return "".join(pieces)


def _spelt(tables: tuple[Table, ...]) -> list[str]:
    """What stands as code points, as it is written, each once."""
    cells = (cell for table in tables for row in (table.header, *table.rows) for cell in row)
    found = (piece for cell in cells for piece in _pieces(cell) if not _can_be_set(piece[0]))
    return list(dict.fromkeys(found))


def _tabular(table: Table) -> str:
    is_right = table.numeric - table.marked_columns  # what is raised behind figures would part their digits
    columns = "".join("r" if i in is_right else "l" for i in range(len(table.header)))
    rows = enumerate(table.rows)
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(list(map(escape, table.header))),
        r"\midrule",
        *(_row([_marked(cell, table.mark(number, i)) for i, cell in enumerate(row)]) for number, row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _marked(cell: str, mark: Mark) -> str:
    bold = rf"\textbf{{{escape(cell)}}}" if mark.is_bold else escape(cell)
    return rf"{bold}\textsuperscript{{{escape(mark.raised)}}}" if mark.raised else bold


def _row(cells: list[str]) -> str:
    line = " & ".join(cells)
    guard = "{}" if line.startswith(("[", "*")) else ""  # else an option of the line end or rule above
    return rf"{guard}{line} \\"


def escape(text: str) -> str:
    r"""Make any text safe to typeset, on one line.

    >>> print(escape("a_b ≥ 50%"), escape("  indented"), escape("é🏆"))
    a\_b $\geq$ 50\% \quad{}indented é[U+1F3C6]
    """
    indent = INDENT if text.startswith("  ") else ""
    return indent + "".join(_set(piece) if _can_be_set(piece[0]) else _spell(piece) for piece in _pieces(text.strip()))


def _pieces(text: str) -> list[str]:
    """Runs of characters that LaTeX can set, and of those that it cannot, in turn."""
    shown = unicodedata.normalize("NFC", in_one_line(text))
    if shown.isascii():
        return [shown] if shown else []
    pieces: list[str] = []
    for character in shown:
        if pieces and _can_be_set(pieces[-1][0]) == _can_be_set(character):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _can_be_set(character: str) -> bool:
    return character.isascii() or character in SIGNS or _is_latin(character)


def _is_latin(character: str) -> bool:
    if character in LATIN:
        return True
    parts = unicodedata.normalize("NFD", character)
    return character <= LAST_OF_LATIN and len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS


def _set(text: str) -> str:
    """Signs by their commands; what would melt into another sign is kept apart."""
    parted = LIGATURES.split(text)
    return "{}".join("".join(SIGNS.get(character, character) for character in part) for part in parted)


def _spell(text: str) -> str:
    return f"[{' '.join(f'U+{ord(character):04X}' for character in text)}]"
