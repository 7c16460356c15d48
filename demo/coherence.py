"""Does a board contradict itself? Every place is held to its JSON file, run by run and pair by pair.

The sentence, rows and shades of the page, CSV and LaTeX, API, stability, pairs, comparisons, history, pages of runs and
one's own runs; for everyone also what links show, the feed, badges, the front page, the embedded table, and mails to
who submitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from demo.coherent_pages import find_in_history, find_in_own_runs, find_in_rows
from demo.told import ENTRY, IN_HEAD, Told, squeeze

from toprung.boards.engine.words import say_among_shown, say_top_group
from toprung.stats.finding import MEAN_DIGITS

SAME = ("place", "rank_low", "rank_high", "top_group", "status", "proved_since")
"""What is the same in CSV and API, and in the JSON file."""
PAGE_SIZE = 50
"""Runs on the first page, and in the first answer of the API."""
FEW_ENTRIES = 20
"""Of a feed: one that has more may leave out older claims."""


def find_contradictions(told: Told) -> Iterator[str]:
    """Each in words that begin with where it is; none where all places agree."""
    if not told.at("export.json"):
        return  # nothing is computed yet
    yield from _of_the_sentence(told)
    yield from _of_the_rows(told)
    for run, row in told.runs.items():
        yield from _of_files(told, run, row)
        yield from _of_a_run(told, run, row)
    yield from _of_orders(told)
    yield from _of_pairs(told)
    yield from _of_comparisons(told)
    yield from _of_claims(told)
    yield from find_in_rows(told)
    yield from find_in_history(told)
    yield from find_in_own_runs(told)
    if told.is_everyone:
        yield from _elsewhere(told)
        yield from _of_the_feed(told)
        yield from _of_mails(told)


def count_compared(told: Told) -> tuple[int, int]:
    """How many runs and pairs were held against each other."""
    pairs = {frozenset(pair) for pair in (*told.grid, *told.compared)}
    return len(told.runs), len(pairs)


def _of_the_sentence(told: Told) -> Iterator[str]:
    sentence = told.file["sentence"]
    members = [told.name(run) for run in told.file["top_group"]]
    said = say_top_group(members, n_runs=told.file["n_runs"], n_queries=told.file["n_queries"])
    expected = " ".join(say_among_shown(said, n_shown=len(told.runs), n_not_shown=len(told.file["not_shown"])))
    has_runs = not all(row["is_baseline"] for row in told.runs.values())
    if has_runs and sentence != expected:
        yield f"sentence: found “{sentence}”; by the top group it is “{expected}”"
    for where, page in (("page", told.page), ("LaTeX", told.at("export.tex"))):
        if squeeze(sentence) not in squeeze(page.replace("\\", "")):
            yield f"{where}: does not say “{sentence}”"
    for where, found in told.in_api.items():
        for name in ("sentence", "because", "top_group", "holder"):
            if name in found and found[name] != told.file[name]:
                yield f"API: the {where} has the {name} “{found[name]}”; the file “{told.file[name]}”"


def _of_the_rows(told: Told) -> Iterator[str]:
    """Order, shade and badge of the first page."""
    on_page = [run for run, _, _ in told.rows]
    expected = [run for run in told.runs if run in on_page] if len(told.runs) > PAGE_SIZE else list(told.runs)
    if on_page != expected:
        yield f"order: the page has {', '.join(on_page)}; the file {', '.join(told.runs)}"
    shaded = [run for run, kinds, _ in told.rows if "may-be-best" in kinds.split()]
    members = [run for run in told.file["top_group"] if run in on_page]
    if sorted(shaded) != sorted(members):
        yield f"shade: found on {', '.join(shaded)}; expected on {', '.join(members)}"
    badges = [run for run, _, cells in told.rows if "chip is-top" in cells]
    holder = [run for run in on_page if run == told.file["holder"]]
    if badges != holder:
        yield f"badge: found on {', '.join(badges)}; expected on {', '.join(holder)}"
    ranked = [row for row in told.runs.values() if not row["is_baseline"]]  # those may stand below
    scores = [round(row["score"], MEAN_DIGITS) for row in ranked]  # means that differ by less are equal
    if scores != sorted(scores, reverse=True) and scores != sorted(scores):
        yield f"order: not by score: {scores}"
    for run, cells in ((run, cells) for run, _, cells in told.rows):
        if f'class="rank">{_ranks(told.runs[run])}<' not in cells:
            yield f"rank of {run} on the page: expected {_ranks(told.runs[run])}"


def _ranks(row: Mapping[str, Any], dash: str = "–") -> str:
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}{dash}{high}"


def _of_files(told: Told, run: str, row: Mapping[str, Any]) -> Iterator[str]:
    """CSV, LaTeX and API; who may be best is who may have the first rank."""
    if not (run in told.file["top_group"]) == row["top_group"] == (row["rank_low"] == 1):
        yield f"group: {run} has ranks {_ranks(row)}, marked: {row['top_group']}, members: {told.file['top_group']}"
    for where, found in (("CSV", told.csv.get(run)), ("API", told.standings.get(run))):
        if found is None:
            if where == "CSV" or (told.standings and len(told.runs) <= PAGE_SIZE):
                yield f"{where}: does not have {run}"
        elif wrong := [name for name in SAME if _written(found[name]) != _written(row[name])]:
            yield f"{where}: {run} has {', '.join(f'{name} {found[name]}' for name in wrong)}"
    place = list(told.runs).index(run)
    cells = told.latex[place] if place < len(told.latex) else ["", ""]
    if cells[:2] != [_ranks(row, "--"), "yes" if row["top_group"] else ""]:
        yield f"LaTeX: {run} has {cells[:2]}"


def _written(value: object) -> str:
    """As a CSV has it, in which nothing and no are alike."""
    return "" if value in (None, False, "False") else str(value)


def _of_a_run(told: Told, run: str, row: Mapping[str, Any]) -> Iterator[str]:
    """Its page says where it stands, and for everyone so does its badge."""
    page, place = squeeze(told.at(f"runs/{run}/")), told.place(row)
    words = [f"{told.name(run)} {said}" for said in ("may be best", "does best", "is the only run")]
    if any(squeeze(said) in page for said in words) != row["top_group"]:
        yield f"run page: {run}, which {place}"
    if told.is_everyone and told.title(f"runs/{run}/badge.svg").partition(": ")[2] not in (
        "",
        f"{told.name(run)} {place}",
    ):
        yield f"run badge: {run}: {told.title(f'runs/{run}/badge.svg')}"


def _of_orders(told: Told) -> Iterator[str]:
    """How sure the order is: ranks follow from how many are better and worse."""
    stability, significance, n_runs = told.table("stability"), told.table("significance"), len(told.runs)
    for run, row in told.runs.items():
        if found := stability.get(run):
            seen = (found["place"], found["95% interval"], found["may be best"] == "yes")
            if seen != (str(row["place"]), _ranks(row), row["top_group"]):
                yield f"stability: {run} has {seen}"
        if found := significance.get(run):
            by_counts = {"rank_low": 1 + int(found["worse than"]), "rank_high": n_runs - int(found["better than"])}
            if not found["rank"] == _ranks(by_counts) == _ranks(row):
                yield f"significance: {run} has {found}"


def _of_pairs(told: Told) -> Iterator[str]:
    """The square of pairs: the same from both sides, and in line with ranks and scores."""
    is_whole = len({b for b, _ in told.grid}) == len(told.runs)
    for (b, a), relation in told.grid.items():
        if told.grid.get((a, b)) != -relation:
            yield f"pairs: {b} and {a} are {relation} from one side, {told.grid.get((a, b))} from the other"
        if relation > 0 and told.runs[a]["rank_low"] == 1:
            yield f"pairs: {b} is better than {a}, which may be best"
        if relation > 0 and told.runs[b]["rank_high"] == len(told.runs):
            yield f"pairs: {b} is better than {a}, and may be last"
    for run, row in told.runs.items() if is_whole else ():
        better = sum(relation < 0 for (b, _), relation in told.grid.items() if b == run)
        worse = sum(relation > 0 for (b, _), relation in told.grid.items() if b == run)
        if (row["rank_low"], row["rank_high"]) != (1 + better, len(told.runs) - worse):
            yield f"pairs: {better} are better than {run} and {worse} worse, but it has ranks {_ranks(row)}"


def _of_comparisons(told: Told) -> Iterator[str]:
    for (b, a), content in told.compared.items():
        if content["relation"] != told.grid[b, a]:
            yield f"comparison: {b} and {a} are {content['relation']}; {told.grid[b, a]} in the square"
        page = squeeze(told.at(f"compare/?b={b}&a={a}"))
        first, second = (b, a) if content["relation"] > 0 else (a, b)
        said = f"{told.name(first)} is better than {told.name(second)},"
        if squeeze(said if content["relation"] else "cannot be told apart,") not in page:
            yield f"comparison: the page of {b} and {a} does not say it"


def _of_claims(told: Told) -> Iterator[str]:
    """Marks, the sentence below the first, and the list of claims."""
    passed = [each["run"] for each in told.claims if each["passed"] and not each["voided_on"]]
    proved = {run for run, row in told.runs.items() if row["proved_since"]}
    if proved != {run for run in passed if run in told.runs}:
        yield f"history: {', '.join(passed)} passed; marked as proved: {', '.join(sorted(proved))}"
    last = next((run for run in reversed(passed) if run in told.runs), None)
    if told.file["holder"] != last:
        yield f"history: the last that passed is {last}; the board says {told.file['holder']}"
    if last and len(told.runs) > 1 and f"{told.name(last)} was the last to prove" not in told.file["because"]:
        yield f"history: {last} passed last, but “{told.file['because']}”"


def _elsewhere(told: Told) -> Iterator[str]:
    """What others see of it: links, the feed, a badge, the list of boards, the embedded table."""
    sentence, n_best = told.file["sentence"], len(told.file["top_group"])
    in_head = [unescape(each) for each in IN_HEAD.findall(told.page)]
    if set(in_head) != {sentence}:
        yield f"head: {in_head}"
    for where, page in (
        ("feed", told.at("feed.atom")),
        ("front page", told.fetch("/")),
        ("embedded", told.at("embed/")),
    ):
        if squeeze(sentence) not in squeeze(page):
            yield f"{where}: does not say “{sentence}”"
    state, has_runs = told.title("badge.svg"), any(not row["is_baseline"] for row in told.runs.values())
    if has_runs and len(told.runs) > 1 and f": {n_best:,} of {len(told.runs):,} runs may be best" not in state:
        yield f"board badge: {state}"


def _of_the_feed(told: Told) -> Iterator[str]:
    entries = {int(number): (unescape(title), run) for title, run, number in ENTRY.findall(told.at("feed.atom"))}
    passed = {each["number"]: each for each in told.claims if each["passed"]}
    for number, (title, run) in entries.items():
        if (
            number not in passed
            or passed[number]["run"] != run
            or bool(passed[number]["voided_on"]) != ("voided" in title)
        ):
            yield f"feed: claim {number}: “{title}”"
    if len(entries) < FEW_ENTRIES and (missing := set(passed) - set(entries)):
        yield f"feed: lacks claims {sorted(missing)}"


def _of_mails(told: Told) -> Iterator[str]:
    """The score of the run, and what came of its claim, in the words of the history."""
    reasons = {each["run"]: each["reason"] for each in told.claims if not each["voided_on"]}
    for run, row in told.runs.items():
        mail = told.mail(run)
        found = re.search(rf"{re.escape(told.file['measure'])}: (\S+) \(", mail)
        if mail and (found is None or float(found[1]) != row["score"]):
            yield f"mail: {run} has {row['score']}, its mail “{found and found[1]}”"
        if mail and run in reasons and reasons[run] not in mail:
            yield f"mail: {run}: does not say “{reasons[run]}”"
