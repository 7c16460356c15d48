"""What does a page tell those who show a link to it? Its title, the sentence of the board, a picture, and the feed."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings

from toprung.web.core.models.boards import Board
from toprung.web.services.shown.board.listed_verdicts import say_boards

register = template.Library()


@register.inclusion_tag("share/head.html", takes_context=True)
def share_head(context: template.Context, board: object) -> dict[str, Any]:
    """For the head of a page; nothing where it is not of a board that everyone may see.

    A page that says the sentence of what everyone may see hands it on as ``said_to_all``.
    """
    if not isinstance(board, Board) or not board.is_public:
        return {}
    said = context.get("said_to_all") or say_boards([board])[board.pk].sentence
    return {"board": board, "said": said, "here": settings.ENVIRONMENT.public_url}
