"""What does one person see at one address of the leaderboard? The board, the view that was asked for, and the names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.core.store.rows import to_axis
from toprung.web.services.shown.board.cells import RowWriter
from toprung.web.services.shown.board.columns import BoardColumn, offer_columns
from toprung.web.services.shown.board.verdict import WrittenVerdict, name_runs, named_in, write_board
from toprung.web.services.shown.board.view import BoardView, Choices


@dataclass(frozen=True, kw_only=True)
class BoardPage:
    """A view of a board that has results."""

    viewer: Viewer
    found: StoredResult
    view: BoardView
    choices: Choices
    names: Mapping[str, str]
    """Of the runs that sentences and choices name, by label."""

    @property
    def content(self) -> Mapping[str, Any]:
        content: Mapping[str, Any] = self.found.content
        return content

    @property
    def highest(self) -> str:
        """The label of the run with the highest score."""
        label: str = self.content["references"][0]
        return label

    @property
    def reference(self) -> str:
        """The label of the run that others are shown against."""
        return self.view.against or self.highest

    @cached_property
    def columns(self) -> tuple[BoardColumn, ...]:
        return self.view.shown(self.choices)

    @cached_property
    def verdict(self) -> WrittenVerdict:
        return write_board(self.content, self.names)

    def name(self, label: str) -> str:
        return self.names.get(label, label)

    def name_references(self) -> Iterator[tuple[str, str]]:
        """What runs can be shown against: its label in an address, and what it is called."""
        highest, *others = self.content["references"]
        yield "", f"Against {self.name(highest)}"
        for label in others:
            is_baseline = label in self.content["baselines"]
            why = ", last proved gain" if label == self.content["holder"] else ", baseline" if is_baseline else ""
            yield label, f"Against {self.name(label)}{why}"

    def writer(
        self, *, has_links: bool = True, ranges: Mapping[int, tuple[float, float]] = MappingProxyType({})
    ) -> RowWriter:
        axes = self.content["difference_axes"]
        return RowWriter(
            slug=self.viewer.board.slug,
            columns=self.columns,
            measure=self.content["measure"],
            reference=self.reference,
            reference_name=self.name(self.reference),
            highest=self.highest,
            axis=to_axis(self.content["axis"]),
            differences=to_axis(axes[self.reference]) if self.reference in axes else None,
            decimals=self.content["decimals"],
            has_links=has_links,
            ranges=ranges,
        )


def open_page(viewer: Viewer, found: StoredResult, asked: Mapping[str, Any]) -> BoardPage:
    """The view that the parameters of an address ask for."""
    content = found.content
    names = name_runs(viewer, named_in(content))
    references = content["references"]
    against = str(asked.get("against", ""))
    reference = against if against in references else references[0]
    choices = Choices(
        columns=offer_columns(content, names.get(reference, reference)),
        references=references,
        tags=content["tags"],
        usual_sort="-score" if content["more_is_better"] else "score",
    )
    labels = str(viewer.version) if viewer.is_as_of else ""
    return BoardPage(
        viewer=viewer,
        found=found,
        view=BoardView.read(asked, choices, labels=labels),
        choices=choices,
        names=names,
    )
