"""What did the server find in a file? Its findings, said as ``toprung validate`` says its own."""

from __future__ import annotations

from collections.abc import Iterable

from toprung.client.record import Record
from toprung.words.visible import in_one_line
from toprung.words.wording import say_queries, show_number

IN_CHECK = ("receiving", "waiting", "checking")
SAID = {"waiting": "queued", "checking": "being checked", "forgotten": "not kept any more"}
DEV_DECIMALS = 4


def is_checked(file: Record) -> bool:
    """Whether its check has come to an end."""
    return file.text("state") not in IN_CHECK


def is_accepted(file: Record) -> bool:
    return file.text("state") == "accepted"


def is_dry(file: Record) -> bool:
    """Whether it has the dev queries alone: scored on them, and nothing to submit."""
    return file.text("state") == "dry"


def say_check(file: Record) -> str:
    """The verdict, then each finding with its lines, then what was in order."""
    report = file.record("report")
    verdict = report.text("sentence") or SAID.get(file.text("state"), file.text("state"))
    lines = [f"{file.text('file_name')}: {verdict}."]
    for each in report.records("findings"):
        lines += ["", f"{each.text('severity')}, {each.text('where')}: {each.text('what')}"]
        lines += [f"  {each.text('fix')}"] if each.text("fix") else []
        lines += [f"  {line}" for line in _quoted(each.records("quoted"))]
        lines += [f"  {one}" for one in each.texts("all")]
    return "\n".join(lines)


def say_dev_scores(file: Record) -> str:
    """The dry run on the public labels; empty where there was none."""
    dev = file.record("dev_scores")
    n_queries, scores = dev.number("n_queries"), dev.record("scores")
    if n_queries is None:
        return ""
    values = {measure: scores.number(measure) for measure in scores.fields}
    said = ", ".join(
        f"{in_one_line(measure)} {show_number(value, DEV_DECIMALS)}"
        for measure, value in values.items()
        if value is not None
    )
    return f"Dry run on the public dev labels, {say_queries(int(n_queries))}: {said or 'none of them is in the file'}."


def _quoted(lines: Iterable[Record]) -> Iterable[str]:
    for line in lines:
        yield f"{line.whole('number'):>9,}  {line.text('before')}{line.text('fault')}{line.text('after')}"
