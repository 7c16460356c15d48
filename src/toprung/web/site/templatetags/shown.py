"""How do texts of others and stored figures reach a template? As text and nothing else; figures as they were drawn."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from toprung.report.page.words import prose as write_prose
from toprung.report.page.words import words as write_words

register = template.Library()


@register.filter
def words(text: object) -> SafeString:
    """Escaped; hidden characters are spelled out, and a name that runs from right to left keeps to itself."""
    return mark_safe(write_words(str(text)))  # noqa: S308 - `words` escapes


@register.filter
def prose(text: object) -> SafeString:
    """The same for sentences of ours, in which commands stand between backticks."""
    return mark_safe(write_prose(str(text)))  # noqa: S308 - `prose` escapes


@register.filter
def drawing(svg: str) -> SafeString:
    """A figure that a task drew: our own markup, in which runs are called by their labels."""
    return mark_safe(svg)  # noqa: S308 - the renderer escapes, and no text of a user is in it
