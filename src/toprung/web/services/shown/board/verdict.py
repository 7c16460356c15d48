"""Who may be best, and who proved it last? The sentences of a board, with the names that may be shown now.

What is stored calls runs by their labels, for an embargo lifts by itself; here they get their names, in the words of
the library.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from toprung.boards.engine.words import MOST_NAMED, say_among_shown, say_last_proved, say_no_run, say_top_group
from toprung.report.page.words import words
from toprung.web.core.access.viewer import Viewer
from toprung.words.wording import show_number

LONGEST_UNBROKEN = 24
"""Letters of a name that is kept on one line."""

type Call = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class BoardVerdict:
    """What stands first on the page of a board, as text."""

    bold: str
    """Who may be best now: the verdict, and what follows it."""
    rest: str
    because: str
    """Which submission was the last to prove an improvement; empty where no claims are tested."""

    @property
    def sentence(self) -> str:
        return f"{self.bold} {self.rest}".rstrip()

    @property
    def whole(self) -> str:
        return f"{self.sentence} {self.because}".rstrip()


@dataclass(frozen=True, kw_only=True)
class WrittenVerdict:
    """The same as markup, in which names do not break."""

    text: BoardVerdict
    bold: SafeString
    rest: SafeString
    because: SafeString


def say_board(content: Mapping[str, Any], viewer: Viewer) -> BoardVerdict:
    """The sentences of a stored board, for this person."""
    return say_named(content, name_runs(viewer, named_in(content)))


def say_named(content: Mapping[str, Any], names: Mapping[str, str]) -> BoardVerdict:
    """The same with ``names`` by label; a run that has none there is called by its label."""
    return _say(content, lambda label: names.get(label, label))


def write_board(content: Mapping[str, Any], names: Mapping[str, str]) -> WrittenVerdict:
    """The same for a page that has the names at hand."""
    text = say_named(content, names)
    marked = _say(content, lambda label: write_name(names.get(label, label)))
    bold, rest, because = (mark_safe(each) for each in (marked.bold, marked.rest, marked.because))  # noqa: S308 - by `words`
    return WrittenVerdict(text=text, bold=bold, rest=rest, because=because)


def named_in(content: Mapping[str, Any]) -> set[str]:
    """The labels that the sentences of a board, and its list of references, name."""
    holder = [] if content["holder"] is None else [content["holder"]]
    return {*content["top_group"][:MOST_NAMED], *holder, *content["overtaken_by"][:MOST_NAMED], *content["references"]}


def name_runs(viewer: Viewer, labels: Collection[str]) -> dict[str, str]:
    """By label the name that each run appears by now: an anonymous one by its label."""
    runs = viewer.board.submissions.filter(run_id__in=labels).select_related("team")
    return {each.run_id: viewer.namer.name(each).name for each in runs}


def write_name(name: str) -> str:
    kind = "n" if len(name) <= LONGEST_UNBROKEN else "n long"
    return f'<span class="{kind}">{words(name)}</span>'


def _say(content: Mapping[str, Any], call: Call) -> BoardVerdict:
    bold, rest = _say_best(content, call)
    return BoardVerdict(bold=bold, rest=rest, because=_say_because(content, call))


def _say_best(content: Mapping[str, Any], call: Call) -> tuple[str, str]:
    if not content["has_runs"]:
        score = show_number(content["highest_score"], content["decimals"])
        return say_no_run(call(content["references"][0]), score)
    members = [call(label) for label in content["top_group"]]
    said = say_top_group(members, n_runs=content["n_runs"], n_queries=content["n_queries"])
    return say_among_shown(said, n_shown=content["n_runs"], n_not_shown=content.get("n_not_shown", 0))


def _say_because(content: Mapping[str, Any], call: Call) -> str:
    """Under the same conditions as the library says it."""
    holder, since = content["holder"], content["proved_since"]
    if not content["has_claims"] or content["n_runs"] < 2:
        return ""
    return say_last_proved(
        None if holder is None else call(holder),
        None if since is None else date.fromisoformat(since),
        n_later=content["n_later"],
        is_member=holder is None or holder in content["top_group"],
        overtaken_by=[call(label) for label in content["overtaken_by"]],
    )
