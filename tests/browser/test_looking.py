"""Each check finds the fault it is for, and none on a page without."""

from __future__ import annotations

import asyncio

import pytest
from tests.browser.conftest import OpenPage
from tests.browser.looking import PHONE
from tests.browser.serving import PageServer

HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>'
GOOD = f"""{HEAD}<meta name="viewport" content="width=device-width">
<style>:focus-visible {{ outline: 2px solid }} .scroll {{ overflow-x: auto }} button {{ height: 24px }}</style></head>
<body><main><h1>One</h1><a href="#two">Two</a>
<div class="scroll" tabindex="0" role="group" aria-label="A wide table"><p style="width: 2000px">wide</p></div>
<button>Copy</button><details><summary>More</summary><a href="#one">inside</a></details></main></body></html>"""


@pytest.fixture
def look(server: PageServer, open_page: OpenPage) -> OpenPage:
    """Opens a body in a page of its own."""
    return lambda body, **options: open_page(server.add(f"{HEAD}</head><body>{body}</body></html>"), **options)


def test_a_page_without_fault_has_none(server: PageServer, open_page: OpenPage) -> None:
    seen = open_page(server.add(GOOD), width=PHONE)
    assert seen.find_faults() == []
    assert seen.find_grave_violations() == []


def test_a_page_without_fault_has_none_without_scripts_either(server: PageServer, open_page: OpenPage) -> None:
    assert open_page(server.add(GOOD), javascript=False).find_faults() == []


def test_the_tab_key_comes_to_everything_in_order(server: PageServer, open_page: OpenPage) -> None:
    stops = open_page(server.add(GOOD)).walk_with_tab()
    assert [stop.element.split('"')[1] for stop in stops] == ["Two", "A wide table", "Copy", "More"]


def test_errors_of_the_console_are_seen(look: OpenPage) -> None:
    seen = look("<script>console.error('said'); console.log('fine'); throw new Error('thrown')</script>")
    assert sorted(seen.errors) == ["said", "thrown"]


def test_a_box_that_pops_up_is_seen(look: OpenPage) -> None:
    assert look("<img src=x: onerror='alert(7)' alt=''>").errors[-1] == "a box says: 7"


def test_scripts_that_are_off_say_nothing(look: OpenPage) -> None:
    seen = look("<p>text</p><script>document.body.textContent = 'ran'</script>", javascript=False)
    assert seen.texts("body") == ["text"]


@pytest.mark.parametrize(
    "body", ["<img src='http://192.0.2.1/x.png' alt=''>", "<link rel=stylesheet href='//e.com/x'>"]
)
def test_a_request_to_elsewhere_is_stopped_and_seen(look: OpenPage, body: str) -> None:
    (url,) = look(body).outside
    assert url in ("http://192.0.2.1/x.png", "http://e.com/x")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p style='width: 500px'>long</p>", '<p> "long"'),
        ("<p style='margin-left: -30px'>left</p>", '<p> "left"'),
        (
            "<p style='width: 90px; overflow: hidden; white-space: nowrap'>a line that is cut</p>",
            'cut off: <p> "a line',
        ),
        (
            "<svg width='90'><text x='60' y='20'>a long label</text></svg>",
            'cut off by its figure: <text> "a long label"',
        ),
    ],
)
def test_what_is_too_wide_for_its_place_is_found(look: OpenPage, body: str, fault: str) -> None:
    assert [found for found in look(body, width=PHONE).find_overflow() if found.startswith(fault)]


def test_text_left_of_where_one_can_scroll_is_found(look: OpenPage) -> None:
    figure = "<svg style='overflow: visible' width='90'><text x='{x}' y='20'>a long label</text></svg>"
    box = "<div style='overflow-x: auto'>{figure}</div>"
    cut, reached = (look(box.format(figure=figure.format(x=x))).find_overflow() for x in (-20, 60))
    assert cut == ['cut off by its figure: <text> "a long label"']
    assert reached == []


def test_text_for_screen_readers_alone_is_not_too_wide(look: OpenPage) -> None:
    hidden = "position: absolute; width: 1px; height: 1px; overflow: hidden; white-space: nowrap"
    assert look(f"<p style='{hidden}'>said, not shown</p>").find_overflow() == []


def test_what_the_tab_key_passes_by_is_found(look: OpenPage) -> None:
    trap = "event.preventDefault(); document.getElementById('one').focus()"
    seen = look(f'<button id="one">One</button><button onfocus="{trap}">Two</button><button>Three</button>')
    missed = [fault for fault in seen.find_keyboard_faults() if fault.startswith("not reached")]
    assert len(missed) == 2


def test_a_focus_that_does_not_show_is_found(look: OpenPage) -> None:
    (fault,) = look("<style>* { outline: none }</style><button>Copy</button>").find_keyboard_faults()
    assert fault.startswith("focus does not show on <button>")


def test_a_focus_out_of_view_is_found(look: OpenPage) -> None:
    (fault,) = look("<a href='#x' style='position: fixed; left: -900px'>skip</a>").find_keyboard_faults()
    assert fault.startswith("focus goes out of view on <a>")


def test_a_grave_violation_is_found(look: OpenPage) -> None:
    (found,) = look("<main><h1>x</h1><button></button></main>").find_grave_violations()
    assert found.startswith("button-name (critical), 1 elements")


def test_both_colour_schemes_can_be_asked_for(look: OpenPage) -> None:
    style = (
        "<style>p::after {content: 'light'} @media (prefers-color-scheme: dark) {p::after {content: 'dark'}}</style>"
    )
    for scheme in ("light", "dark"):
        seen = look(f"{style}<p></p>", scheme=scheme)
        assert scheme in seen.run(
            lambda page: page.evaluate("getComputedStyle(document.querySelector('p'), '::after').content")
        )


def test_the_browser_leaves_no_event_loop_behind(look: OpenPage) -> None:
    look("<p>open</p>")

    async def answer() -> int:
        return 42

    assert asyncio.run(answer()) == 42
