"""What must a person not be told? Looked for in all that an answer holds: headers, page, file or part of a page."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from tests.web.asking import body_of
from tests.web.busy_boards import (
    EMBARGOED,
    HIDDEN_FILE,
    HIDDEN_NAME,
    HIDDEN_OWN,
    HIDDEN_TEXT,
    LABEL_REASON,
    NAME_WAS,
    OFFICIAL,
    OTHER_FILE,
    PLANS,
    PRIVATE,
    REFUSED_FILE,
    TELLING,
    WAITING_FILE,
    BusyBoard,
    World,
    ranks_of,
)

from toprung.boards.disclosure.rounding import SHARE_DIGITS
from toprung.stats.tests.pair import MOST_FLIPPED
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import ScoreColumn

KESTREL, NORRLAND = ("participant", "mate"), ("stranger",)
HIDDEN_DOCUMENT = re.compile(r"rel-[qp]\d")
HIDDEN_QUERY = re.compile(r"\b[qp]\d{3}\b")
FINE_SHARE = re.compile(r"\d\.\d{2,}\s?%")
COUNT_OF_QUERIES = re.compile(r"(?<![\d.,])(\d+(?:,\d{3})*)\s+queries")
NUMBER = re.compile(r"(?<![\w.])(?:0?\.)(\d{3,})(?![\d%])")
"""Between 0 and 1, as scores are, with at least three decimals."""
SHOWN_DECIMALS = {"full": 4, "rounded": 3, "ladder": 2}
LEAST_DIFFERENCE = 0.01
PAINTED = ("image/png", "application/pdf")
"""Packed: of these only long words and documents are looked for, which chance does not write. What they paint is the
SVG of the same name, which is looked at whole; numbers and names that are text in a PDF are glyphs of a font there.
"""
MOST_LEVEL = 0.05
MOST_DECIMALS = 4
"""Of any number in a file."""
HOW_PAIRS_ARE_TESTED = f"all exchanges where at most {MOST_FLIPPED} queries differ"
"""Of the method, the same on every board: this count of queries, in these words alone, tells nothing."""
OF_PUBLIC_FILES = re.compile(r"labels of \d+ queries, public")
"""Of files that everyone may fetch and count, in these words alone; the size of a hidden set is one of `LENGTHS`, which
every board tells anyway, and any other count of queries that is no multiple of ten is still found.
"""
LENGTHS = {len(OFFICIAL), len(PRIVATE), len(OFFICIAL) + len(PRIVATE)}


@dataclass(frozen=True, kw_only=True)
class Secrets:
    """All that is hidden on a board from one role."""

    words: frozenset[str]
    private_scores: tuple[float, ...]
    exact_scores: tuple[float, ...]
    """On the official labels, of every measure; shown to so many decimals at most:"""
    decimals: int
    exact_differences: tuple[float, ...]
    """Between two of these of one measure, as far as a score is; one of less than 0.01 looks like a p-value."""
    counts: frozenset[int]
    """How many queries two runs differ on, where that is no multiple of ten."""

    @classmethod
    def of(cls, world: World, busy: BusyBoard, role: str) -> Secrets:
        columns = ScoreColumn.objects.filter(submission__board=busy.board)
        means = columns.values_list("label_set__use", "mean")
        return cls(
            words=frozenset(_list_words(world, busy, role)),
            private_scores=tuple(mean for use, mean in means if use == LabelUse.PRIVATE),
            exact_scores=tuple(mean for use, mean in means if use == LabelUse.OFFICIAL),
            exact_differences=_find_differences(columns),
            decimals=SHOWN_DECIMALS[busy.board.release.partition(":")[0]],
            counts=_count_outcomes(),
        )


def _find_differences(columns: QuerySet[ScoreColumn]) -> tuple[float, ...]:
    means = columns.filter(label_set__use=LabelUse.OFFICIAL).values_list("measure", "mean")
    pairs = combinations(means, 2)
    found = (abs(b - a) for (measure, b), (other, a) in pairs if measure == other)
    return tuple(each for each in found if each >= LEAST_DIFFERENCE)


def _list_words(world: World, busy: BusyBoard, role: str) -> Iterator[str]:
    digests = {label: busy.run(label).upload.digest.removeprefix("sha256:") for label in EMBARGOED}
    yield from (world.hidden_team.name, world.hidden_team.slug, NAME_WAS, HIDDEN_NAME, *TELLING["R4"], digests["R4"])
    yield from (str(world.hider), LABEL_REASON, HIDDEN_TEXT, HIDDEN_FILE, "could not be read")
    person, mates = world.person(role), world.cast.team.members.all() if role in KESTREL else ()
    yield from (user.email for user in User.objects.all() if user != person and user not in mates)
    if role not in KESTREL:
        yield from (HIDDEN_OWN, *TELLING["R6"], digests["R6"], "kestrel-late")
        yield from (REFUSED_FILE, WAITING_FILE, "kestrel-good.txt", "kestrel-one.txt")
    if role not in NORRLAND:
        yield from (OTHER_FILE, "norrland-failed", "norrland-one.txt")


def _count_outcomes() -> frozenset[int]:
    """Of every pair; small counts are left out, which stand for other things too."""
    ranks = {label: ranks_of(plan) for label, plan in PLANS.items()}
    found = set()
    for b, a in permutations(ranks, 2):
        pairs = [(ranks[b][query], ranks[a][query]) for query in OFFICIAL]
        both = [(ours, theirs) for ours, theirs in pairs if ours and theirs]
        found |= {
            len(both),
            sum(ours < theirs for ours, theirs in both),
            sum(ours == theirs for ours, theirs in both),
            sum(not ours and not theirs for ours, theirs in pairs),
            sum(bool(ours) and not theirs for ours, theirs in pairs),
        }
    return frozenset(count for count in found if count > 100 and count % 10)


def find_leaks(response: HttpResponse, secrets: Secrets, *, quotes_own_file: bool = False) -> list[str]:
    """What the answer tells and must not; ``quotes_own_file``: a team may read the lines of its own file."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    body = body_of(response).decode(errors="replace")
    content_type = response.headers.get("Content-Type", "")
    if content_type in PAINTED:  # packed bytes: a short run of letters or digits comes up in them by chance
        return [*find_in_text(headers, secrets), *_find_names(body, secrets)]
    leaks = [*find_in_text(f"{headers}\n{html.unescape(body)}", secrets, quotes_own_file=quotes_own_file)]
    if "html" in content_type and not quotes_own_file:
        leaks += _find_counts(_to_visible(body), secrets)
    elif "json" in content_type:
        leaks += _find_in_json(json.loads(body))
    elif "csv" in content_type:
        leaks += _find_in_table(body)
    return leaks


def find_in_text(text: str, secrets: Secrets, *, quotes_own_file: bool = False) -> Iterator[str]:
    """In a page, a mail or a line of a log."""
    yield from _find_names(text, secrets)
    if not quotes_own_file:
        yield from (f"a query: {found}" for found in HIDDEN_QUERY.findall(text))
    yield from (f"a share finer than 0.1%: {found}" for found in FINE_SHARE.findall(text))
    for decimals in NUMBER.findall(text):
        value, digits = float(f"0.{decimals}"), len(decimals)
        if _is_one_of(value, secrets.private_scores, digits):
            yield f"a private score: {value}"
        if digits > secrets.decimals and _is_one_of(value, secrets.exact_scores, digits):
            yield f"an exact score: {value}"
        if digits > max(secrets.decimals, SHARE_DIGITS) and _is_one_of(value, secrets.exact_differences, digits):
            yield f"an exact difference: {value}"


def _find_names(text: str, secrets: Secrets) -> Iterator[str]:
    small = text.lower()
    yield from (f"a hidden word: {word}" for word in secrets.words if word.lower() in small)
    yield from (f"a document of hidden labels: {found}" for found in HIDDEN_DOCUMENT.findall(text))


def _is_one_of(value: float, scores: Iterable[float], digits: int) -> bool:
    return any(abs(value - score) <= 0.5 * 10**-digits for score in scores)


def _to_visible(body: str) -> str:
    """What is read or read out: the text of a page, of its figures and of their labels, without coordinates."""
    labels = re.findall(r'(?:aria-label|title|content|alt|value)="([^"]*)"', body)
    return html.unescape(" ".join([re.sub(r"<[^>]*>", " ", body), *labels]))


def _find_counts(text: str, secrets: Secrets) -> Iterator[str]:
    whole = {int(found.replace(",", "")) for found in re.findall(r"(?<![\w.,-])\d[\d,]*(?![\w%]|[.,-]\d| s\b)", text)}
    yield from (f"an exact count: {count}" for count in whole & secrets.counts)
    rest = OF_PUBLIC_FILES.sub("", text.replace(HOW_PAIRS_ARE_TESTED, ""))
    told = {int(found.replace(",", "")) for found in COUNT_OF_QUERIES.findall(rest)}
    yield from (f"a count of queries: {count}" for count in told - LENGTHS if count % 10)


def _find_in_json(found: Any, key: str = "") -> Iterator[str]:
    if isinstance(found, dict):
        for name, value in found.items():
            yield from _find_in_json(value, name)
    elif isinstance(found, list):
        if len(found) in LENGTHS:
            yield f"a value for each query: {key}"
        for value in found:
            yield from _find_in_json(value, key)
    elif isinstance(found, float) and key == "p":
        if float(f"{found:.2g}") != found:
            yield f"a p-value with more than two digits: {found}"
    elif isinstance(found, float) and not _is_level(key, found) and round(found, MOST_DECIMALS) != found:
        yield f"a number with more than {MOST_DECIMALS} decimals: {key} {found}"
    elif isinstance(found, int) and found > 100 and found % 10 and found not in LENGTHS:
        yield f"an exact count: {key} {found}"


def _is_level(name: str, value: float | None) -> bool:
    """Levels follow from the rules of the board and from how many claims came before, which everyone sees; none is
    above the share of all claims that may be false.
    """
    return name == "level" and value is not None and 0 < value <= MOST_LEVEL


def _number(cell: object) -> float | None:
    try:
        return float(str(cell))
    except ValueError:
        return None


def _find_in_table(text: str) -> Iterator[str]:
    rows = csv.DictReader(io.StringIO(text))
    cells = (str(cell) for row in rows for name, cell in row.items() if not _is_level(name, _number(cell)))
    fine = (found for cell in cells for found in re.findall(r"\d\.\d{5,}", cell))
    yield from (f"a number with more than {MOST_DECIMALS} decimals: {found}" for found in fine)
    if len(text.splitlines()) - 1 in LENGTHS:
        yield "a line for each query"
