"""Do the pages that people read say what the files say? Figures and chips of rows, the history, and one's own runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from demo.told import Told, squeeze

SCORE = re.compile(r'class="score num"[^>]*>([−\d.]+)')
STATUS = re.compile(r'class="status">(.*?)</td>', re.DOTALL)
DIFFERENCE = re.compile(r'class="v">([+±−\d.]+)<span class="sub">([−\d.]+) to ([−\d.]+)<')
LAST_PROVED = "last proved gain"
SENTENCE = re.compile(r'<p class="sentence">(.*?)</p>', re.DOTALL)
HELD = re.compile(r'<table class="held">.*?<tbody>(.*?)</tbody>', re.DOTALL)
CLAIM = re.compile(r'<tr\s+id="claim-(\d+)"(.*?)</tr>', re.DOTALL)
MARK = re.compile(r'<a href="[^"]*/runs/(\w+)/" data-row="claim-(\d+)" aria-label="([^"]*)"')
OWN_ROW = re.compile(r"<tr role=\"row\".*?</tr>", re.DOTALL)
OWN_FIGURES = re.compile(r'class="num score">([−\d.]*)</td>.*?rank">([\d–]*)</td>', re.DOTALL)


def find_in_rows(told: Told) -> Iterator[str]:
    """Score, status and difference of each row of the first page."""
    for run, _, cells in told.rows:
        row, score, status = told.runs.get(run), SCORE.search(cells), STATUS.search(cells)
        if row is None:
            continue
        if score and not _is_rounded(score[1], row["score"]):
            yield f"score of {run} on the page: {score[1]}; expected {row['score']}"
        since = f" {row['proved_since']}" if row["status"] == LAST_PROVED else ""
        if status and squeeze(status[1]) != squeeze(f"{row['status']}{since}"):
            yield f"status of {run} on the page: {squeeze(status[1])}; expected {row['status']}{since}"
        if row.get("difference") is not None:
            yield from _in_difference(run, row, cells)


def _in_difference(run: str, row: Mapping[str, Any], cells: str) -> Iterator[str]:
    shown, names = DIFFERENCE.search(cells), ("difference", "difference_low", "difference_high")
    if shown is None:
        yield f"difference of {run}: not on the page; expected {row['difference']}"
    elif not all(_is_rounded(figure, row[name]) for figure, name in zip(shown.groups(), names, strict=True)):
        yield f"difference of {run} on the page: {shown.groups()}; expected {[row[name] for name in names]}"


def _is_rounded(shown: str, figure: float) -> bool:
    """Whether a figure is shown as itself, to as many decimals as there are."""
    decimals = len(shown.partition(".")[2])
    is_near: bool = abs(float(shown.replace("−", "-").replace("±", "")) - figure) <= 0.5 * 10**-decimals + 1e-9
    return is_near


def find_in_history(told: Told) -> Iterator[str]:
    """The sentence, who held the rung, the marks of the staircase, and the table of claims."""
    page, claims = told.at("history/"), {int(each["number"]): each for each in told.claims}
    if 'id="claims"' not in page:
        return  # by the rule of the board no claim is tested
    passed = [each for each in told.claims if _counts(each)]
    expected = _say_passed([told.name(each["run"]) for each in passed], has_claims=any(map(_stands, told.claims)))
    found = SENTENCE.search(page)
    if found is None or not squeeze(found[1]).startswith(squeeze(expected)):
        yield f"history page: found “{found and found[1].strip()}”; expected “{expected}”"
    yield from _in_holders(told, page)
    for number, row in ((int(number), row) for number, row in CLAIM.findall(page)):
        yield from _in_claim(number, row, claims.get(number))
    for run, number, label in MARK.findall(page):
        yield from _in_mark(told, run, unescape(label), claims.get(int(number)))


def _stands(claim: Mapping[str, Any]) -> bool:
    return not claim["withdrawn"]


def _counts(claim: Mapping[str, Any]) -> bool:
    return bool(claim["passed"]) and not claim["voided_on"] and _stands(claim)


def _say_passed(names: Sequence[str], *, has_claims: bool) -> str:
    """How the sentence of the history begins; names in the order in which they proved it."""
    from toprung.web.services.results.words import count_in_words

    if not has_claims:
        return "No run has claimed an improvement yet."
    if not names:
        return "No claim has passed yet."
    if len(names) == 1:
        return f"One submission proved an improvement when it came: {names[0]}"
    many = count_in_words(len(names)).capitalize()
    return f"{many} submissions proved an improvement when they came; the last is {names[-1]}"


def _in_holders(told: Told, page: str) -> Iterator[str]:
    held = HELD.search(page)
    found = re.findall(r'<th scope="row">.*?/runs/(\w+)/', held[1], re.DOTALL) if held else []
    expected = [each["run"] for each in reversed(told.history["holders"])]
    if found != expected:
        yield f"history page: {', '.join(found)} held the top rung; the file says {', '.join(expected)}"
    if told.file["holder"] and found and found[0] != told.file["holder"]:
        yield f"history page: {found[0]} holds the top rung; the board says {told.file['holder']}"


def _in_claim(number: int, row: str, claim: Mapping[str, Any] | None) -> Iterator[str]:
    if claim is None:
        yield f"history page: has claim {number}; the file does not"
        return
    outcome = "voided" if claim["voided_on"] else "passed" if claim["passed"] else "notpassed"
    if f"/runs/{claim['run']}/" not in row or f"</svg>{outcome}</span>" not in _bare(row):
        yield f"history page: claim {number} is not shown as of {claim['run']}, {outcome}"


def _bare(row: str) -> str:
    """Without blanks; a chip without a mark as if it had one."""
    return re.sub(r"\s+", "", row).replace('<spanclass="chip">voided', "</svg>voided")


def _in_mark(told: Told, run: str, label: str, claim: Mapping[str, Any] | None) -> Iterator[str]:
    if claim is None or claim["run"] != run:
        yield f"staircase: the mark of {run} leads to a claim that is not its own"
        return
    says_passed = "claim passed" in label
    if run in told.runs and not label.startswith(f"{told.name(run)}, "):
        yield f"staircase: the mark of {run} is called “{label}”"
    if says_passed != (bool(claim["passed"]) and not claim["voided_on"]):
        yield f"staircase: the mark of {run} says “{label}”"


def find_in_own_runs(told: Told) -> Iterator[str]:
    """My runs: score, ranks, shade and words of those on this board."""
    for row in OWN_ROW.findall(told.fetch("/me/")):
        run, figures = re.search(rf'href="/b/{told.slug}/runs/(\w+)/"', row), OWN_FIGURES.search(row)
        on_board = told.runs.get(run[1]) if run else None
        if run is None or figures is None or on_board is None:
            continue
        low, high = on_board["rank_low"], on_board["rank_high"]
        ranks = str(low) if low == high else f"{low}–{high}"
        if not figures[1] or not _is_rounded(figures[1], on_board["score"]) or figures[2] != ranks:
            yield f"my runs: {run[1]} has {figures.groups()}; expected {on_board['score']} and {ranks}"
        if ('class="may-be-best"' in row) != on_board["top_group"]:
            yield f"my runs: the shade of {run[1]}"
        if squeeze(told.place(on_board)).lower() not in squeeze(row).lower():
            yield f"my runs: {run[1]} does not say that it {told.place(on_board)}"
