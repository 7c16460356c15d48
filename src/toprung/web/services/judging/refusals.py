"""Why is an assessor not given what they asked for? Each refusal is a sentence that says what to do."""

from __future__ import annotations

from toprung.errors import InputError


class JudgingRefusedError(InputError):
    """Nothing was stored, and why."""


class MayNotJudgeError(JudgingRefusedError):
    """Somebody may not judge in this campaign, whatever they ask for."""


class NoSuchStudyError(JudgingRefusedError):
    """There is nothing, or nothing that they may know of."""


class AnswerRefusedError(JudgingRefusedError):
    """An answer that cannot be kept: the work is not theirs, not open, or was answered elsewhere."""


class TooManyComeError(JudgingRefusedError):
    """Too many came from one address, in a short time."""


NO_SUCH_STUDY = "There is no such study, or it has not started. Ask whoever gave you the link."
CLOSED = "This study is closed. Thank you for coming; there is nothing left to judge."
CLOSED_MEANWHILE = (
    "This study was closed, so this answer was not kept. What you answered before is paid by its share; exit to see it."
)
PAUSED = "This study is paused, so nothing is asked just now. Open the same link again later."
PAUSED_MEANWHILE = (
    "This study is paused, so this answer was not kept. Open the same link again later, or exit now and be paid for "
    "what you answered before."
)
IS_PARTICIPANT = (
    "You take part in the board that these answers come from, so you cannot judge them. Thank you for the thought."
)
NOT_INVITED = "Only assessors that the organisers invited judge here. Ask them to add you, and open the link again."
HIDDEN_TEXTS = "The texts of this study are shown to invited assessors only. Ask the organisers for an invitation."
BLOCKED = "The organisers have ended your work in this study. What you handed in is paid. You can write to them."
FORGOTTEN = (
    "You had your data of this study deleted, so nobody knows which pairs you saw, and none are asked of you again. "
    "What you were due is paid."
)
NOT_YOURS = "This task is not yours, or not in this browser. Open the link of the study again to go on."
HANDED_IN = "This task was handed in, so its answers stay as they are. Open the link of the study again to go on."
TIMED_OUT = (
    "This task was open for too long and went to someone else, so this answer was not kept. Open the link again for a "
    "new one."
)
LEFT = "You have left this task, so this answer was not kept. Open the link of the study again for a new one."
NOT_BEGUN = "This task has not been started. Open the link of the study again and press Start."
ANSWERED_ELSEWHERE = "This pair was answered already, in another tab or before. Go on with the next one."
OTHER_CHOICE = "This answer was sent before with another choice; the first one was kept. Undo it to change it."
NO_TIES = "Found a tie; this study asks for one of the two. Choose the one that is a little better."
NO_SUCH_CHOICE = "Found no choice; expected left, right or skip. Press one of the buttons."
NO_SUCH_PAIR = "This task has no such pair. Open the link of the study again to go on."
BAD_ID = "Found an answer without an id of its own; expected 32 hexadecimal digits. Reload the page and answer again."
NO_CONSENT = "You have not agreed to the consent text of this study as it is now. Read it and agree first."
OTHER_CONSENT = "The consent text was changed meanwhile. Read it again, and agree to it as it is now."
NOT_UNDER_THIS_CONSENT = (
    "The consent text was changed meanwhile, so this answer was not kept. Open the link of the study again and read it."
)
NO_GUIDELINES = "You have not read the guidelines of this study as they are now. Read them and try the pair first."
NOTHING_LEFT = "There is nothing left to judge for you. Thank you for coming."
CANNOT_UNDO = "Only the last answer can be taken back, until the task is handed in."
TOO_MANY_COME = (
    "Many people came to this study from your network just now. Nothing was lost; open the link again in an hour, or "
    "from another network. Who judges together in a room can be invited by the organisers."
)
NO_GOLDS = (
    "There is no work just now: too few test pairs are left. Nothing was lost; tell the organisers, and come back "
    "later."
)
