"""How are the timings told? As one Markdown page, which also reads well in a terminal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from benchmarks.contenders import MEASURES, TOPRUNG
from benchmarks.timing import AGREEMENT, Timing, largest_difference

HEADINGS = ("input", "contender", "rounds", "CPU s", "wall s", "peak MB", "CPU ÷ Toprung's", "difference")
NOT_APPLICABLE = ""


@dataclass(frozen=True, kw_only=True)
class Results:
    """All that one benchmark session found, and what it left out."""

    timings: Sequence[Timing]
    missing: Sequence[str]
    repeat: int
    scale: float
    load: str
    """Of the machine, before the first round."""


def to_markdown(results: Results) -> str:
    sections = [
        "## From files to numbers",
        bullets(conditions(results)),
        markdown_table(HEADINGS, table_rows(results.timings)),
        bullets([*reading_notes(results), *problems(results)]),
    ]
    return "\n\n".join(sections) + "\n"


def conditions(results: Results) -> list[str]:
    lines = [
        f"Load average when it began: {results.load}",
        f"Rounds: {results.repeat}, contenders in turns (slow peers fewer on large inputs: see the column)",
    ]
    if any(timing.contender == TOPRUNG for timing in results.timings):
        lines.append("Toprung's checks are on: duplicate documents and malformed lines are refused")
    if results.scale != 1:
        lines.append(f"Inputs at {results.scale:g} of their size: a smoke test, not a result")
    return lines


def table_rows(timings: Iterable[Timing]) -> list[list[str]]:
    return [table_row(timing, reference=group[0]) for group in finished_by_subject(timings) for timing in group]


def finished_by_subject(timings: Iterable[Timing]) -> list[list[Timing]]:
    """The timings on each subject, of which the first is the one that the others are compared with."""
    finished = (timing for timing in timings if not timing.has_failed)
    return [list(group) for _, group in groupby(finished, key=lambda timing: timing.subject)]


def table_row(timing: Timing, *, reference: Timing) -> list[str]:
    cost = timing.cost
    return [
        timing.subject,
        timing.contender.name,
        str(len(timing.costs)),
        seconds(cost.cpu_seconds),
        seconds(cost.wall_seconds),
        f"{cost.peak_bytes / 1e6:.0f}",
        cpu_ratio(timing, reference),
        NOT_APPLICABLE if timing is reference else f"{difference(timing, reference):.1e}",
    ]


def seconds(value: float) -> str:
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def cpu_ratio(timing: Timing, reference: Timing) -> str:
    # Without Toprung's own time on this input there is nothing to divide by.
    if timing is reference or reference.contender.name != TOPRUNG.name:
        return NOT_APPLICABLE
    return f"{timing.cost.cpu_seconds / reference.cost.cpu_seconds:.1f}"


def difference(timing: Timing, reference: Timing) -> float:
    return largest_difference(timing.means, reference.means)


def reading_notes(results: Results) -> list[str]:
    notes = [
        f"Each contender reads the files, scores every query by {', '.join(MEASURES)}, and tells the means.",
        "CPU s is user + system time over all threads, wall s is elapsed time: each the least of the rounds. "
        "Peak MB is the highest resident memory.",
        "Difference: the largest one between a mean and that of the first contender on the same input.",
    ]
    if any(timing.contender.needs_warm_up for timing in results.timings):
        notes.append("ranx had an unmeasured run before: its times are with the numba cache warm.")
    return notes


def problems(results: Results) -> list[str]:
    missing = [f"{name} is not installed: skipped." for name in results.missing]
    failed = [
        f"{timing.contender.name} failed on {timing.subject} (exit code {timing.exit_code}): left out."
        for timing in results.timings
        if timing.has_failed
    ]
    return [*missing, *failed, *disagreements(results.timings)]


def disagreements(timings: Iterable[Timing]) -> list[str]:
    return [
        f"On {timing.subject}, {timing.contender.name} differs from {reference.contender.name} by up to "
        f"{difference(timing, reference):.1e}."
        for reference, *others in finished_by_subject(timings)
        for timing in others
        if difference(timing, reference) > AGREEMENT
    ]


def bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    rule = ["-" * width for width in widths]
    return "\n".join(table_line(cells, widths) for cells in (headings, rule, *rows))


def table_line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
