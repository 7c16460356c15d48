from __future__ import annotations

import base64
import hashlib
import re

from tests.report.reading_pages import Page

from toprung.report.page.shell import write_document


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy_of(page: Page) -> dict[str, str]:
    """What may be used, by kind."""
    (content,) = [value for value in page.all_of("content") if value.startswith("default-src")]
    return {kind: allowed for kind, _, allowed in (each.strip().partition(" ") for each in content.split(";"))}


def test_a_page_without_script_allows_none() -> None:
    policy = policy_of(Page(write_document(title="t", body="<main></main>")))
    assert policy["default-src"] == policy["script-src"] == policy["base-uri"] == "'none'"


def test_only_what_was_written_here_runs() -> None:
    page = Page(write_document(title="t", body="", script="one()"))
    policy = policy_of(page)
    assert policy["script-src"] == digest("one()")
    assert policy["style-src"] == digest(page.texts["style"][0])
    assert "unsafe" not in " ".join(policy.values())


def test_a_page_has_what_readers_and_browsers_look_for() -> None:
    text = write_document(title="A <title>", body='<main id="main"></main>')
    page = Page(text)
    assert text.startswith('<!doctype html>\n<html lang="en">')
    assert page.texts["title"] == ["A <title>"]
    assert ("name", "viewport") in page.attributes
    assert page.all_of("href") == ["#main"]  # the first thing that Tab comes to
    assert re.search(r"<body>\s*<a class=\"skip\"", text)
