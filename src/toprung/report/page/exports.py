"""What can a reader take along? The tables as LaTeX, the figures as CSV: the same bytes as the command writes."""

from __future__ import annotations

from collections.abc import Mapping

from toprung.report.page.packed import packed_tag
from toprung.report.page.words import plain
from toprung.report.writers import to_csv
from toprung.result import Result

LONGEST_SHOWN = 120
"""Lines of LaTeX; longer tables are copied without being shown."""
STATUS = '<span class="done" role="status"></span>'


def files_of(key: str, result: Result, latex: str) -> dict[str, str]:
    """What a part has to be carried for its buttons, by the ids it gets in the page."""
    return {f"{key}-csv": to_csv(result)} | ({} if _is_short(latex) else {f"{key}-latex": latex})


def write_exports(key: str, latex: str, carried: Mapping[str, str]) -> str:
    """Buttons, which appear where script runs, and what they copy and save."""
    is_short = _is_short(latex)
    names = (f"{key}-csv", f"{key}-latex")
    buttons = [
        _button("Copy LaTeX", names[1], is_packed=not is_short) if is_short or names[1] in carried else "",
        _button("Download CSV", names[0], file_name=f"{key}.csv") if names[0] in carried else "",
    ]
    left_out = ["CSV"] if names[0] not in carried else []
    left_out += ["LaTeX"] if not is_short and names[1] not in carried else []
    tags = "".join(packed_tag(name, carried[name]) for name in names if name in carried)
    return (
        f'<div class="take-along"><div class="actions" hidden>{"".join(buttons)}{STATUS}</div>'
        f"{_show(latex, names[1]) if is_short else ''}</div>\n{_say_left_out(left_out)}{tags}"
    )


def write_download(key: str, carried: Mapping[str, str], *, name: str, label: str) -> str:
    """One file to save, if it is carried."""
    if key not in carried:
        return ""
    button = _button(label, key, file_name=name)
    return f'<div class="actions" hidden>{button}{STATUS}</div>{packed_tag(key, carried[key])}'


def _is_short(latex: str) -> bool:
    return latex.count("\n") <= LONGEST_SHOWN


def _button(label: str, key: str, *, file_name: str = "", is_packed: bool = True) -> str:
    packed = ' data-packed=""' if is_packed else ""
    name = f' data-name="{file_name}"' if file_name else ""
    return f'<button type="button" class="btn" data-key="{key}"{name}{packed}>{label}</button>'


def _show(latex: str, key: str) -> str:
    return (
        '<details class="latex"><summary>LaTeX</summary>'
        f'<pre id="{key}" tabindex="0" role="group" aria-label="LaTeX">{plain(latex)}</pre></details>\n'
    )


def _say_left_out(formats: list[str]) -> str:
    if not formats:
        return ""
    return f'<p class="small muted">Too long for a page as {" and ".join(formats)}: the command line writes it.</p>\n'
