"""How do people come from Prolific, and go back? By three words in the address, and by a code for how it ended.

The words are checked and turned into digests; none of them is stored, and nothing calls the platform. Whoever lost the
page comes back with the same words and goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from toprung.web.core.models.judging import Campaign, CampaignAccess, Ending
from toprung.web.services.judging.identity import digest_for
from toprung.web.services.judging.refusals import MayNotJudgeError

PERSON, STUDY, SESSION = "PROLIFIC_PID", "STUDY_ID", "SESSION_ID"
WORDS = (PERSON, STUDY, SESSION)
AN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
COMPLETE_URL = "https://app.prolific.com/submissions/complete"
COME_AGAIN = "Open the study from Prolific again; if it says the same, return it there and write to the researcher."


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """Someone who came from the platform, by digests."""

    assessor: str
    session: str


def study_link(link: str) -> str:
    """What a study of the platform leads to: it fills in who comes, from which study and session.

    >>> study_link("https://board.example.org/judge/k/").partition("&")[0]
    'https://board.example.org/judge/k/?PROLIFIC_PID={{%PROLIFIC_PID%}}'
    """
    return f"{link}?{'&'.join(f'{word}={{{{%{word}%}}}}' for word in WORDS)}"


def what_is_missing(campaign: Campaign) -> str:
    """Of what the platform told the organiser; nothing for people who come another way."""
    if campaign.access != CampaignAccess.PROLIFIC:
        return ""
    if not campaign.study_id:
        return "Found no study id; expected that of the study at Prolific, made with the link of this campaign."
    if not campaign.codes.get(Ending.COMPLETE):
        return (
            "Found no code for work that is handed in; expected that of the study at Prolific: without it nobody gets "
            "back there."
        )
    return ""


def has_words(given: Mapping[str, str]) -> bool:
    return any(word in given for word in WORDS)


def read_arrival(campaign: Campaign, given: Mapping[str, str]) -> Arrival:
    """Who came; refused where a word is missing, is no id, or is of another study."""
    for word in WORDS:
        if not AN_ID.fullmatch(given.get(word, "")):
            raise MayNotJudgeError(f"Found no {word} as Prolific writes it in the address of this page. {COME_AGAIN}")
    if given[STUDY] != campaign.study_id:
        raise MayNotJudgeError(f"Found a link of another study. {COME_AGAIN}")
    return Arrival(assessor=assessor_of(campaign, given[PERSON]), session=session_of(campaign, given[SESSION]))


def assessor_of(campaign: Campaign, platform_id: str) -> str:
    """What a person of the platform is called in a campaign; who has the platform's list finds them by this alone."""
    return digest_for(campaign, "prolific", platform_id)


def session_of(campaign: Campaign, platform_session: str) -> str:
    return digest_for(campaign, "session", platform_session)


def code_for(campaign: Campaign, ending: Ending) -> str:
    """What to tell the platform; empty where the campaign has none. A failed check without a code is as complete."""
    codes: dict[str, str] = campaign.codes
    if ending is Ending.FAILED_CHECKS:
        return codes.get(ending) or codes.get(Ending.COMPLETE, "")
    return codes.get(ending, "")


def return_url(code: str) -> str:
    return f"{COMPLETE_URL}?{urlencode({'cc': code})}" if code else ""
