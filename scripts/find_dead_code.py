"""What in ``src`` does nobody use? Tests do not count: what only they call is dead.

Vulture compares the names that Python code defines with those it uses. A name also counts as used where it stands in a
template, in what a query looks up, or alone in a string: a path such as "module:name", a column, the field of a record.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

from vulture import Vulture

USERS = ("src", "demo", "scripts", "benchmarks", "docs")

DECORATORS = (
    "@api.exception_handler",  # ninja calls it
    "@click.command",  # loaded by the name of its module
    "@host.command",
    "@register.filter",  # templates
    "@router.*",  # ninja
)
"""They hand a function to whoever calls it."""

READ_WHOLE = ("apps.py", "conf.py", "settings.py", "0*.py")
"""Files in which every name is read by Django or Sphinx; the last are migrations."""

CALLED_FROM_OUTSIDE = frozenset(
    (
        *("__class__", "__dir__", "__getattr__", "__lt__", "_repr_html_"),  # Python, notebooks
        *("release_frame", "team_frame"),  # whoever uses results in Python
        *("get_metavar", "format_commands", "metavar"),  # click
        *("http_open", "https_open", "readinto", "_create_connection"),  # urllib, io
        *("handle_starttag", "handle_startendtag", "handle_endtag", "exc_text"),  # html.parser, logging
        *("Meta", "USERNAME_FIELD", "REQUIRED_FIELDS", "process_exception"),  # Django
        *("urlpatterns", "handler500", "Database"),
        *("field_order", "queryset", "label_from_instance", "allow_multiple_selected"),  # Django's forms
        *("value_from_datadict",),
        *("clean_anonymous_until", "clean_password", "clean_queries", "clean_reason", "default_error_messages"),
        *("is_safe_url", "get_password_change_redirect_url", "get_reset_password_from_key_url"),  # allauth
        *("get_email_confirmation_url", "get_connect_redirect_url", "get_login_redirect_url"),
        *("_get_login_attempts_cache_key", "pre_social_login"),
        *("_launch", "_Popen", "finalizer"),  # multiprocessing
        *("chunked_response", "error_task_class"),  # waitress
        *("task_class", "sendbuf_len", "handle_read", "handle_accept"),
        "tempdir",  # tempfile
        *("model_config",),  # pydantic
        *("imported_at",),  # a field that is written with the rest of its record
    )
)

TAG = re.compile(r"{[{%].*?[%}]}", re.DOTALL)
NAME = re.compile(r"-?\w+([.:]\w+)*")
FACTS = re.compile(r"\w+(=[\w.()]+)?( \w+(=[\w.()]+)?)*")
"""What a result declares of itself: "measure best=best.run"."""


def main() -> int:
    found = Vulture(ignore_decorators=DECORATORS)
    found.scavenge(USERS)
    used = names_in_templates() | names_in_strings() | names_in_look_ups()
    unused = [
        item
        for item in found.get_unused_code()
        if item.name not in used and not any(item.filename.match(file) for file in READ_WHOLE)
    ]
    dead = [item.get_report() for item in unused if item.name not in CALLED_FROM_OUTSIDE]
    needless = [
        f"{name}: an exception that excuses nothing" for name in CALLED_FROM_OUTSIDE - {item.name for item in unused}
    ]
    print(*dead, *sorted(needless), sep="\n", end="\n" if dead or needless else "")
    return 1 if dead or needless else 0


def names_in_templates() -> set[str]:
    """All words of the tags."""
    pages = [page for kind in ("*.html", "*.txt") for page in Path("src").rglob(kind)]
    return {word for page in pages for tag in TAG.findall(page.read_text()) for word in re.findall(r"\w+", tag)}


def names_in_strings() -> set[str]:
    """Each part of a string that is nothing but a name or a path of names; ``-`` and ``__`` are those of queries."""
    strings = [node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return {
        part
        for text in strings
        if NAME.fullmatch(text) or ("=" in text and FACTS.fullmatch(text))
        for part in re.split(r"\W|__", text)
    }


def names_in_look_ups() -> set[str]:
    """Each part of what a query asks for, as in ``filter(report__is_dry=True)``."""
    asked = [node.arg for node in nodes() if isinstance(node, ast.keyword) and node.arg]
    return {part for name in asked if "__" in name for part in name.split("__")}


@cache
def nodes() -> list[ast.AST]:
    """All of the source."""
    return [node for file in Path("src").rglob("*.py") for node in ast.walk(ast.parse(file.read_text()))]


if __name__ == "__main__":
    sys.exit(main())
