"""Whose draft is it? Only its maker finds it, while they may make boards."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from toprung.web.core.models.drafts import BoardDraft
from toprung.web.core.models.people import User


def require_maker(user: User) -> None:
    if not user.may_create_boards:
        raise Http404("There is no such page.")


def drafts_of(user: User) -> QuerySet[BoardDraft]:
    """The latest first."""
    require_maker(user)
    return BoardDraft.objects.filter(maker=user)


def get_draft_for_maker(user: User, pk: int) -> BoardDraft:
    draft = drafts_of(user).filter(pk=pk).first()
    if draft is None:
        raise Http404("There is no such draft: it was opened or dropped, or it is not yours.")
    return draft
