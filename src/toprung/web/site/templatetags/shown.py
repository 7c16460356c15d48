"""How do texts of others and stored figures reach a template? As text and nothing else; figures as they were drawn."""

from __future__ import annotations

import re

from django import template
from django.utils.safestring import SafeString, mark_safe

from toprung.report.page.words import prose as write_prose
from toprung.report.page.words import words as write_words
from toprung.web.core.store.provenance import show_ends
from toprung.web.services.boards.words import show_gain
from toprung.web.services.shown.board.verdict import write_name

register = template.Library()

_TAG = re.compile("(<[^>]*>)")
_UNBROKEN = re.compile(r"\(?\bp (?:=|&lt;) [^\s<>]+|[^\s<>]*\w-\w[^\s<>]*")
"""A p-value, and a word with a hyphen, such as the name of a run or a date."""
LONGEST_UNBROKEN = 30
"""Letters, with the mark behind them: what is longer may break, or it would leave a phone."""


@register.filter
def words(text: object) -> SafeString:
    """Escaped; hidden characters are spelled out, and a name that runs from right to left keeps to itself."""
    return mark_safe(write_words(str(text)))  # noqa: S308 - `words` escapes


@register.filter
def called(name: object) -> SafeString:
    """The same for the name of a run in a table: it stands on one line, unless it is so long that it must break."""
    return mark_safe(write_name(str(name)))  # noqa: S308 - `write_name` escapes


@register.filter
def prose(text: object) -> SafeString:
    """The same for sentences of ours, in which commands stand between backticks."""
    return mark_safe(write_prose(str(text)))  # noqa: S308 - `prose` escapes


@register.filter
def gain(smallest: float) -> str:
    """The smallest gain that a claim can show, or that there is none."""
    return show_gain(smallest)


@register.filter
def drawing(svg: str) -> SafeString:
    """A figure that a task drew: our own markup, in which runs are called by their labels."""
    return mark_safe(svg)  # noqa: S308 - the renderer escapes, and no text of a user is in it


@register.filter
def unbroken(text: object) -> SafeString:
    """As `words`, for a sentence: names of runs, dates and p-values stand on one line each.

    What is marked as safe is HTML already.
    """
    parts = _TAG.split(text if isinstance(text, SafeString) else write_words(str(text)))
    parts[::2] = [_UNBROKEN.sub(_keep_together, part) for part in parts[::2]]
    return mark_safe("".join(parts))  # noqa: S308 - `words` escapes, and only our own tags are added


@register.filter
def ends(digest: str) -> str:
    """Of a digest what is enough to tell it from others."""
    return show_ends(digest)


@register.filter
def whole_percent(share: str) -> str:
    """A share as `print_share` writes it without decimals and sign, for cells on a phone; what is hardly ever or nearly
    always so stays it.

    >>> [whole_percent(share) for share in ("0", "< 0.1%", "0.4%", "83.6%", "99.6%", "> 99.9%", "100.0%")]
    ['0', '<1', '<1', '84', '>99', '>99', '100']
    """
    value = float(share.strip("<>% "))
    if 0 < value < 1:
        return "<1"
    return ">99" if 99 < value < 100 else f"{value:.0f}"


def _keep_together(found: re.Match[str]) -> str:
    return f'<span class="n">{found[0]}</span>' if len(found[0]) <= LONGEST_UNBROKEN else found[0]
