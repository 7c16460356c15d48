"""Write judgments for other tools: JSONL, Waterloo, evalica, the arena, crowd-kit, Label Studio, MTurk.

Only JSONL keeps everything. The others get the current votes: no golds, no skips, nothing that was taken back.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Sequence

from toprung.data.formats.judgments.rows import JudgmentFormat
from toprung.data.formats.runs.recognise import to_format
from toprung.data.formats.runs.writing import replacing
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.errors import InputError
from toprung.words.wording import say_count


def write_judgments(
    judgments: Judgments,
    path: str | os.PathLike[str],
    *,
    format: str | JudgmentFormat = JudgmentFormat.JSONL,  # noqa: A002 - the word users know
) -> None:
    """Write judgments to a file, whole or not at all."""
    chosen = to_format(JudgmentFormat, format)
    if chosen not in WRITERS:
        raise InputError(f"Found format '{chosen}'; expected one that can be written: {', '.join(WRITERS)}.")
    text = WRITERS[chosen](judgments)
    with replacing(path) as target:
        target.write_text(text, encoding="utf-8", newline="")


def _votes(judgments: Judgments) -> list[Judgment]:
    return [each for each in judgments.current if each.is_vote]


def _without_ties(judgments: Judgments, name: str) -> list[Judgment]:
    votes = _votes(judgments)
    ties = sum(vote.choice is Choice.TIE for vote in votes)
    if ties:
        raise InputError(
            f"Found {say_count(ties, 'tie')}; expected none, for {name} files have no word for them. "
            "Use jsonl, evalica, arena or mturk."
        )
    return votes


def _to_jsonl(judgments: Judgments) -> str:
    return "".join(json.dumps(each.to_record(), ensure_ascii=False) + "\n" for each in judgments.rows)


def _to_waterloo(judgments: Judgments) -> str:
    votes = _without_ties(judgments, "Waterloo")
    for an_id in (an_id for vote in votes for an_id in (vote.query_id, vote.left, vote.right)):
        if len(an_id.split()) != 1:
            raise InputError(f"Found id {an_id!r}; a Waterloo file cannot hold ids that are empty or with blanks.")
    return "".join(f"{vote.query_id} {vote.left} {vote.right} {vote.winner}\n" for vote in votes)


def _to_csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def _to_crowd_kit(judgments: Judgments) -> str:
    votes = _without_ties(judgments, "crowd-kit")
    rows = [(vote.assessor, vote.left, vote.right, str(vote.winner), vote.query_id) for vote in votes]
    return _to_csv(("worker", "left", "right", "label", "query_id"), rows)


def _to_evalica(judgments: Judgments) -> str:
    rows = [(vote.left, vote.right, vote.choice, vote.query_id, vote.assessor) for vote in _votes(judgments)]
    return _to_csv(("left", "right", "winner", "query_id", "worker"), rows)


def _to_arena(judgments: Judgments) -> str:
    words = {Choice.LEFT: "model_a", Choice.RIGHT: "model_b", Choice.TIE: "tie"}
    rows = [(vote.left, vote.right, words[vote.choice], vote.query_id, vote.assessor) for vote in _votes(judgments)]
    return _to_csv(("model_a", "model_b", "winner", "query_id", "judge"), rows)


def _to_label_studio(judgments: Judgments) -> str:
    tasks = []
    for number, vote in enumerate(_without_ties(judgments, "Label Studio"), start=1):
        value = {"value": {"selected": vote.choice}, "from_name": "pw", "to_name": "left,right", "type": "pairwise"}
        annotation = {"id": number, "completed_by": vote.assessor, "result": [value]}
        data = {"query_id": vote.query_id, "left_id": vote.left, "right_id": vote.right}
        tasks.append({"id": number, "data": data, "annotations": [annotation]})
    return json.dumps(tasks, indent=1, ensure_ascii=False) + "\n"


def _to_mturk(judgments: Judgments) -> str:
    """An assignment of one pair for every vote, as a batch with one pair a page gives them."""
    ids = ("HITId", "AssignmentId", "WorkerId", "AssignmentStatus")
    pair = ("Input.query_id", "Input.left_id", "Input.right_id", "Answer.choice")
    rows = []
    for vote in _votes(judgments):
        found = (vote.task_id or "", vote.judgment_id, vote.assessor, "Approved")
        rows.append((*found, vote.query_id, vote.left, vote.right, vote.choice))
    return _to_csv((*ids, *pair), rows)


WRITERS: dict[JudgmentFormat, Callable[[Judgments], str]] = {
    JudgmentFormat.JSONL: _to_jsonl,
    JudgmentFormat.WATERLOO: _to_waterloo,
    JudgmentFormat.EVALICA: _to_evalica,
    JudgmentFormat.ARENA: _to_arena,
    JudgmentFormat.CROWD_KIT: _to_crowd_kit,
    JudgmentFormat.LABEL_STUDIO: _to_label_studio,
    JudgmentFormat.MTURK: _to_mturk,
}
