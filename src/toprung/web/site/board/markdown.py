"""How is what an organiser wrote turned into a page? Markdown without HTML, then only tags that can do nothing."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote"),
    *("strong", "em", "s", "code", "pre", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
"""No image, which would tell another server who reads the page; no style and no script."""
LINKS = "nofollow noopener noreferrer ugc"
SCHEMES = {"http", "https", "mailto"}
HIGHEST_HEADING = 3
"""Below the headings of the page itself."""


def render_markdown(text: str) -> SafeString:
    r"""Safe markup; what is not Markdown is text.

    >>> render_markdown("# Task\n\n*one* <b>two</b>")
    '<h3>Task</h3>\n<p><em>one</em> &lt;b&gt;two&lt;/b&gt;</p>\n'
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    for token in tokens:
        if token.tag in ("h1", "h2", "h3", "h4"):
            token.tag = f"h{min(6, int(token.tag[1]) + HIGHEST_HEADING - 1)}"
    drawn = parser.renderer.render(tokens, parser.options, {})
    cleaned = nh3.clean(
        drawn,
        tags=TAGS,
        attributes={"a": {"href"}, "*": set()},
        url_schemes=SCHEMES,
        link_rel=LINKS,
        strip_comments=True,
    )
    return mark_safe(cleaned)  # noqa: S308 - cleaned just now
