"""What does the panel beside the form say? How far the check is, what it found, whether the run can be submitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.data.formats.runs.files import run_name
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.core.work.state import WorkState
from toprung.words.wording import say_count, say_queries, show_number, show_size

SCORE_DECIMALS = 4


@dataclass(frozen=True, kw_only=True)
class DevScore:
    """A figure of the dry run; its labels are public, so it is shown in full."""

    measure: str
    score: str


@dataclass(frozen=True, kw_only=True)
class Panel:
    """An upload, as it is shown."""

    state: str
    work: WorkState | None
    """What else waits, and whether anyone works, while it is being checked."""
    is_being_checked: bool
    can_be_submitted: bool
    why_not: str
    """Why it cannot be submitted yet."""
    mark: str
    """Of the line with the verdict: good, warn or bad."""
    sentence: str
    findings: list[dict[str, Any]]
    passed: list[str]
    dev_scores: list[DevScore]
    dev_queries: str
    """How many the dry run is over; empty where there was none."""
    size: str
    run_name: str
    """What the run might be called, by its file."""

    @property
    def seen(self) -> str:
        """Tells what a page shows that follows it."""
        return f"{self.state}{'-silent' if self.work is not None and self.work.is_silent else ''}"


def panel_of(upload: Upload) -> Panel:
    report, is_submitted = upload.report, hasattr(upload, "submission")
    findings = report.get("findings", [])
    n_errors = sum(each["severity"] == "error" for each in findings)
    return Panel(
        state=upload.state,
        work=WorkState.find() if upload.is_being_checked else None,
        is_being_checked=upload.is_being_checked,
        can_be_submitted=upload.state == UploadState.ACCEPTED and not is_submitted,
        why_not=_say_why_not(upload, n_errors, is_submitted=is_submitted),
        mark="bad" if n_errors else "warn" if findings else "good",
        sentence=report.get("sentence", ""),
        findings=findings,
        passed=report.get("passed", []),
        dev_scores=[
            DevScore(measure=measure, score=show_number(value, SCORE_DECIMALS))
            for measure, value in upload.dev_scores.get("scores", [])
        ],
        dev_queries=say_queries(upload.dev_scores["n_queries"]) if "n_queries" in upload.dev_scores else "",
        size=show_size(upload.size),
        run_name=run_name(upload.file_name),
    )


def _say_why_not(upload: Upload, n_errors: int, *, is_submitted: bool) -> str:
    if is_submitted:
        return "This file was submitted; send another one."
    if upload.is_being_checked:
        return "The file is being checked."
    if upload.state == UploadState.FORGOTTEN:
        return "This file is not kept any more; send it again."
    if upload.state == UploadState.DRY:
        return "This file has the dev queries alone; send one with all queries of the board."
    return f"{say_count(n_errors, 'error')} to correct first." if n_errors else ""
