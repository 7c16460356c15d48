"""What does a board tell one person, place by place? Read as they do: pages, files, the API, feed, badges and mails."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from itertools import combinations
from typing import Any

type Fetch = Callable[[str], str]
"""What is found at a path; empty where nothing is."""

ROW = re.compile(r'<tr role="row" id="(\w+)"(?: class="([^"]*)")?>(.*?)</tr>', re.DOTALL)
PAIR = re.compile(r'\?b=(\w+)&amp;a=(\w+)"[^>]*>([▲▼·])<')
SIGNS = {"▲": 1, "▼": -1, "·": 0}
IN_HEAD = re.compile(r'<meta (?:name="description"|property="og:(?:description|image:alt)") content="([^"]*)"')
_WITHIN = r"(?:(?!</entry>).)*?"
ENTRY = re.compile(rf"<entry><title>(.*?)</title>{_WITHIN}/runs/(\w+)/{_WITHIN}<id>[^<]*/claim-(\d+)</id>", re.DOTALL)


def squeeze(html: str) -> str:
    """The words of a page without tags and blanks, in which a sentence is found however it is set."""
    return re.sub(r"\s+", "", unescape(re.sub(r"<[^>]*>", "", html)))


@dataclass(frozen=True, kw_only=True)
class Told:
    """One person before one board."""

    slug: str
    fetch: Fetch
    """A page or a file, by its path."""
    ask: Fetch
    """The API, for a program of theirs."""
    mail: Fetch
    """What who sent a run is told of it, by its label; of a baseline, what they would be told."""
    is_everyone: bool = True
    """Whether this is what everyone sees: then what is shown elsewhere has to say the same."""

    def at(self, path: str) -> str:
        return self.fetch(f"/b/{self.slug}/{path}")

    @cached_property
    def page(self) -> str:
        return self.at("")

    @cached_property
    def file(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self.at("export.json"))
        return found

    def place(self, row: Mapping[str, Any]) -> str:
        """Where a run stands in words, of the runs that show a score."""
        from toprung.web.services.shown.run.outcomes import say_place

        return say_place(row, {**self.file, "n_not_shown": len(self.file["not_shown"])})

    @cached_property
    def runs(self) -> dict[str, Mapping[str, Any]]:
        """By label, in the order of the board: what all other places are held to."""
        return {row["run"]: row for row in self.file["runs"]}

    @cached_property
    def csv(self) -> dict[str, Mapping[str, str]]:
        return {row["run"]: row for row in csv.DictReader(io.StringIO(self.at("export.csv"))) if row["score"]}

    @cached_property
    def latex(self) -> list[list[str]]:
        """Cell by cell, the row of names left out."""
        body = self.at("export.tex").partition("\\midrule")[2].partition("\\bottomrule")[0]
        return [[cell.strip() for cell in re.split(r"(?<!\\)&", line)] for line in body.splitlines() if "&" in line]

    @cached_property
    def rows(self) -> list[tuple[str, str, str]]:
        """Of the first page: label, classes, cells."""
        return ROW.findall(self.page)

    @cached_property
    def history(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self.at("history.json"))
        return found

    @cached_property
    def claims(self) -> list[Mapping[str, Any]]:
        """By number."""
        return sorted(self.history["claims"], key=lambda each: int(each["number"]))

    def table(self, kind: str) -> dict[str, dict[str, str]]:
        """The first table of an analysis, by run; empty where the board does not show it."""
        text = self.at(f"{kind}.json")
        tables = json.loads(text)["tables"] if text else []
        rows = [dict(zip(tables[0]["header"], row, strict=True)) for row in tables[0]["rows"]] if tables else []
        return {row["run"]: row for row in rows}

    @cached_property
    def grid(self) -> dict[tuple[str, str], int]:
        """Of the pairs that are drawn as a square: 1 where the first is better, -1 where it is worse."""
        return {(b, a): SIGNS[sign] for b, a, sign in PAIR.findall(self.at("stability/"))}

    @cached_property
    def compared(self) -> dict[tuple[str, str], Mapping[str, Any]]:
        """Comparisons that were made, among the runs of the square."""
        runs = list(dict.fromkeys(b for b, _ in self.grid))
        found = {(b, a): self.at(f"compare.json?b={b}&a={a}") for b, a in combinations(runs, 2)}
        return {pair: json.loads(text) for pair, text in found.items() if text}

    @cached_property
    def in_api(self) -> dict[str, Mapping[str, Any]]:
        """What a program is told of the board, and of its standings; empty where none asks."""
        asked = {"board": "", "standings": "/standings"}
        found = {name: self.ask(f"/api/v1/boards/{self.slug}{path}") for name, path in asked.items()}
        return {name: json.loads(text) for name, text in found.items() if text}

    @property
    def standings(self) -> dict[str, Mapping[str, Any]]:
        """Of the API."""
        items = self.in_api.get("standings", {"items": []})["items"]
        return {each["run"]: each for each in items if each["score"] is not None}

    def name(self, run: str) -> str:
        return self.runs[run]["name"] or run

    def title(self, path: str) -> str:
        """What a drawing is called."""
        found = re.search(r"<title>(.*?)</title>", self.at(path))
        return unescape(found[1]) if found else ""
