"""Which labels may a board have? Read with the library's reader, apart where they must be, stored as a version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File

from toprung.data.formats.content import Limits, digest_of
from toprung.data.qrels import Qrels
from toprung.errors import FormatError
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.store.columns import labels_of, scored_queries
from toprung.web.core.store.plan import SettingFault
from toprung.web.services.labels.reading import read_labels_file
from toprung.words.wording import list_names, say_queries

NAME_LENGTH = 60
SHOWN_QUERIES = 3
FEWEST_QUERIES = 2
"""Fewer queries have no spread, and no interval can be drawn."""


@dataclass(frozen=True, kw_only=True)
class LabelPlan:
    """One set of labels to store: where they lie now, what they are for, and what they are called."""

    key: str
    """What a fault of it is said of: ``official_file``, or ``labels 2``."""
    use: str
    path: Path
    file_name: str
    """As its sender called it: what messages say."""
    name: str = ""
    is_hidden: bool = True

    @property
    def shown_name(self) -> str:
        return self.name or self.use

    @cached_property
    def qrels(self) -> Qrels:
        """A FormatError names the file by the name its sender gave it."""
        try:
            sent = run_apart(read_labels_file, self.path, _caps(), limits=settings.ENVIRONMENT.child_limits)
            return sent.to_qrels()
        except ChildEndedError as died:
            raise FormatError(
                source=self.file_name,
                found=f"a file that could not be read to its end ({died})",
                expected="labels, as text or Parquet",
                advice="It is damaged, or too large for this server.",
            ) from None
        except FormatError as error:
            raise FormatError(
                source=self.file_name,
                line=error.line,
                found=error.found,
                expected=error.expected,
                advice=error.advice,
            ) from None

    @cached_property
    def query_ids(self) -> frozenset[str]:
        return frozenset(scored_queries(self.qrels))


def _caps() -> Limits:
    return Limits(max_bytes=settings.ENVIRONMENT.max_unpacked_bytes)


@dataclass(frozen=True, kw_only=True)
class StoredPlan(LabelPlan):
    """A set that the board has, to hold others against."""

    labels: LabelSet

    @classmethod
    def of(cls, labels: LabelSet) -> StoredPlan:
        called = f"the {labels.name} labels, v{labels.version}"
        return cls(
            key=called,
            use=labels.use,
            path=Path(labels.file.name or ""),
            file_name=called,
            name=labels.name,
            is_hidden=labels.is_hidden,
            labels=labels,
        )

    @cached_property
    def qrels(self) -> Qrels:
        return labels_of(self.labels)


def find_label_faults(plans: Sequence[LabelPlan]) -> list[SettingFault]:
    """What is wrong with the sets: each by itself, their number, and what they share."""
    faults = [*_in_numbers(plans), *(fault for plan in plans for fault in _in_set(plan))]
    return faults or list(_in_common(plans))


def _in_numbers(plans: Sequence[LabelPlan]) -> Iterator[SettingFault]:
    for use, least, most in ((LabelUse.OFFICIAL, 1, 1), (LabelUse.DEV, 0, 1)):
        found = [plan for plan in plans if plan.use == use]
        if not least <= len(found) <= most:
            key = found[-1].key if found else "labels"
            expected = "one" if least else "one at most"
            yield SettingFault(key=key, says=f"found {len(found)} sets of {use.value} labels; expected {expected}.")
    names = [(plan.use, plan.shown_name) for plan in plans]
    for plan in plans:
        if names.count((plan.use, plan.shown_name)) > 1:
            yield SettingFault(key=plan.key, says=f"found the name '{plan.shown_name}' twice; expected each once.")
            return


def _in_set(plan: LabelPlan) -> Iterator[SettingFault]:
    if plan.use not in LabelUse.values:
        yield SettingFault(
            key=plan.key, says=f"found the use '{plan.use}'; expected one of {', '.join(LabelUse.values)}."
        )
    if len(plan.shown_name) > NAME_LENGTH or any(letter < " " for letter in plan.shown_name):
        says = f"found '{plan.shown_name[:NAME_LENGTH]}'; expected a name in one line of at most {NAME_LENGTH} letters."
        yield SettingFault(key=plan.key, says=says)
    if plan.use == LabelUse.DEV and plan.is_hidden:
        yield SettingFault(
            key=plan.key,
            says="found hidden dev labels; expected public ones: dry runs cost nothing, and would tell them.",
        )
    if plan.use == LabelUse.PRIVATE and not plan.is_hidden:
        yield SettingFault(key=plan.key, says="found private labels that are not hidden; expected hidden ones.")
    try:
        n = len(plan.query_ids)
    except FormatError as error:
        yield SettingFault(key=plan.key, says=str(error))
    else:
        if n < FEWEST_QUERIES:
            yield SettingFault(
                key=plan.key,
                says=f"{plan.file_name}: found {say_queries(n)} with a relevant document; expected {FEWEST_QUERIES} or "
                "more.",
            )


def _in_common(plans: Sequence[LabelPlan]) -> Iterator[SettingFault]:
    """Sets that share queries where one would tell the other."""
    for one, other in combinations(plans, 2):
        shared = sorted(one.query_ids & other.query_ids)
        why = _why_apart(one, other)
        if shared and why:
            named = list_names([f"'{query}'" for query in shared[:SHOWN_QUERIES]])
            more = f" and {len(shared) - SHOWN_QUERIES:,} more" if len(shared) > SHOWN_QUERIES else ""
            is_one_file = one.file_name == other.file_name
            here, there = (f"{each.file_name} ({each.use})" if is_one_file else each.file_name for each in (one, other))
            yield SettingFault(
                key=other.key,
                says=f"found {say_queries(len(shared))} of {here} in {there} too ({named}{more}); expected none: "
                f"{why}.",
            )


def _why_apart(one: LabelPlan, other: LabelPlan) -> str:
    uses = {one.use, other.use}
    if one.is_hidden != other.is_hidden:
        return "public labels would tell hidden ones"
    if LabelUse.PRIVATE in uses and uses != {LabelUse.PRIVATE}:
        return "what is shown of one would tell the other"
    return ""


def store_labels(board: Board, plan: LabelPlan, **of_version: Any) -> LabelSet:
    """A version of a set, the first unless it is said, its file kept as it came; call it in a transaction."""
    labels = LabelSet(
        board=board,
        use=plan.use,
        name=plan.shown_name,
        is_hidden=plan.is_hidden,
        is_graded=int(plan.qrels.grades.max()) > 1,
        n_queries=len(plan.query_ids),
        digest=digest_of(plan.path),
        **of_version,
    )
    with plan.path.open("rb") as file:
        labels.file.save(f"{board.slug}-{plan.use}", File(file), save=False)
    try:
        labels.save()
    except BaseException:
        labels.file.storage.delete(labels.file.name or "")
        raise
    return labels
