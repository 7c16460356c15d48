"""What does the page of a run say that its team said? A row for each thing; what tells the team comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.data.run_card import CardField, CardValue, RunCard, card_fields

SHOWN_ELSEWHERE = ("name", "anonymous_until")
CALLED = {"description": "Description"}
"""What the form asks for in other words."""


@dataclass(frozen=True, kw_only=True)
class CardRow:
    """A label and a text, or a link to the text, or words each by itself."""

    label: str
    text: str = ""
    is_link: bool = False
    words: tuple[str, ...] = ()


def card_rows(card: RunCard, *, is_hidden: bool) -> list[CardRow]:
    """What is said; of a hidden run only what does not tell whose it is."""
    wanted = [each for each in card_fields() if each.name not in SHOWN_ELSEWHERE]
    shown = [each for each in wanted if not (is_hidden and each.tells_team)]
    shown.sort(key=lambda each: (not each.tells_team, each.holds is CardValue.TAGS))
    rows = [_to_row(each, getattr(card, each.name)) for each in shown if getattr(card, each.name) not in ("", (), None)]
    return _join_seed(rows)


def _to_row(declared: CardField, value: Any) -> CardRow:
    label = CALLED.get(declared.name, declared.label)
    if declared.holds is CardValue.TAGS:
        return CardRow(label=label, words=value)
    if declared.holds is CardValue.COST:
        return CardRow(label=label, text=f"{value:,.10g} {declared.unit}".rstrip())
    return CardRow(label=label, text=str(value), is_link=declared.holds is CardValue.ADDRESS)


def _join_seed(rows: list[CardRow]) -> list[CardRow]:
    """A seed stands beside the system that it is of."""
    texts = {each.label: each.text for each in rows}
    if not {"System", "Seed"} <= texts.keys():
        return rows
    both = CardRow(label="System", text=f"{texts['System']}, seed {texts['Seed']}")
    return [both if each.label == "System" else each for each in rows if each.label != "Seed"]
