"""What does a reader meet on a page? Faults that only a real browser shows, found on any page.

``open_page`` gives a `Visit`. What it finds is data, so that a test says what must not be there::

    visit = open_page(server.add(html), width=390, scheme="dark")
    assert visit.find_faults() == []
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from tests.browser.chromium import Chromium, Scheme
from tests.browser.serving import LOOPBACK

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page, Route

PHONE, LAPTOP = 390, 1280
WIDTHS = (PHONE, LAPTOP)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
FACES = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Condensed")
"""What browsers fall back on here: the widest of all, one with feet, and a narrow one."""
GRAVE = ("serious", "critical")
MOST_PARTS = 8
"""Of one element that Tab goes through: a field for a date has a day, a month, a year and a button."""
ALL_RULES = {"rules": {"target-size": {"enabled": True}}}
"""Of axe-core, with the one of WCAG 2.2 that it leaves out by itself."""
ONLY_VIOLATIONS = {"resultTypes": ["violations"]}
"""What is well is not listed element by element: on a page with many figures that takes longer than the rules do."""
LOCAL_SCHEMES = ("about", "blob", "data", "file")


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Where the Tab key came to."""

    element: str
    is_outlined: bool
    """Whether one sees that it has the focus."""
    is_in_view: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Visit:
    """An open page. Everything about it happens in the browser's thread: use ``run`` for what is not here."""

    chromium: Chromium
    page: Page
    errors: list[str] = field(default_factory=list)
    """Errors and warnings of the console, exceptions that nobody caught, and boxes that popped up."""
    outside: list[str] = field(default_factory=list)
    """Requests to anywhere but this machine; they were stopped."""

    def run[T](self, work: Callable[[Page], T]) -> T:
        """Do something with Playwright's page, such as ``lambda page: page.click("button")``."""
        return self.chromium.run(lambda: work(self.page))

    def find_faults(self) -> list[str]:
        """Everything wrong that any page can have, but accessibility, which takes longer."""
        return [
            *(f"console: {error}" for error in self.errors),
            *(f"asked for: {url}" for url in self.outside),
            *(f"too wide: {element}" for element in self.find_overflow()),
            *(f"keyboard: {fault}" for fault in self.find_keyboard_faults()),
        ]

    def find_overflow(self) -> list[str]:
        """What makes the page scroll sideways, or is cut off where nothing scrolls."""
        found: list[str] = self.run(lambda page: page.evaluate(_script("overflow")))
        return found

    def find_overlap(self) -> list[str]:
        """Texts of a drawing that run into each other."""
        found: list[str] = self.run(lambda page: page.evaluate(_script("overlap")))
        return found

    def add_style(self, rules: str) -> None:
        """As a reader's own settings would, which no policy of the page keeps out."""
        script = """rules => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(rules);
            document.adoptedStyleSheets.push(sheet);
        }"""
        self.run(lambda page: page.evaluate(script, rules))

    def find_keyboard_faults(self) -> list[str]:
        """What can be used and is not reached by Tab, and where one cannot see the focus."""
        stops = self.walk_with_tab()
        unseen = [f"focus does not show on {stop.element}" for stop in stops if not stop.is_outlined]
        hidden = [f"focus goes out of view on {stop.element}" for stop in stops if not stop.is_in_view]
        reached = {stop.element for stop in stops}
        missed = [f"not reached: {element}" for element in self.list_interactive() if element not in reached]
        return [*missed, *unseen, *hidden]

    def list_interactive(self) -> list[str]:
        """Everything one can use, in the order of the page, each with a name of its own."""
        found: list[str] = self.run(lambda page: page.evaluate(f"{_script('focus')}; listInteractive()"))
        return found

    def walk_with_tab(self) -> list[Stop]:
        """From the top of the page to its end, one press at a time."""
        return self.run(_walk)

    def find_grave_violations(self, *rules: str) -> list[str]:
        """What axe-core calls serious or critical: the rule, and the first elements that break it; of all its rules, or
        of these.
        """
        return self.run(lambda page: _find_grave_violations(page, rules))

    def texts(self, selector: str) -> list[str]:
        """What a reader reads in these elements, once the page that a click led to is there."""
        self.run(lambda page: page.wait_for_load_state("domcontentloaded"))
        found: list[str] = self.run(lambda page: page.locator(selector).all_inner_texts())
        return found


@contextmanager
def visit(
    chromium: Chromium,
    url: str,
    *,
    width: int = LAPTOP,
    scheme: Scheme = "light",
    javascript: bool = True,
    touch: bool = False,
    cookies: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Visit]:
    """Open a page in a window of its own, and watch it from the first byte on; ``cookies`` are there before it."""
    context = chromium.new_context(width=width, scheme=scheme, javascript=javascript, touch=touch)
    try:
        site = urljoin(url, "/")  # a cookie of a page is for pages beside it only
        kept: list[Any] = [{"name": name, "value": value, "url": site} for name, value in cookies.items()]
        chromium.run(lambda: context.add_cookies(kept))
        opened = Visit(chromium=chromium, page=chromium.run(context.new_page))
        opened.run(lambda page: _watch(page, opened))
        opened.run(lambda page: page.goto(url, wait_until="load"))
        yield opened
    finally:
        chromium.run(context.close)


def _watch(page: Page, seen: Visit) -> None:
    def let_pass(route: Route) -> None:
        address = urlsplit(route.request.url)
        if address.scheme in LOCAL_SCHEMES or address.hostname == LOOPBACK:
            route.continue_()
        else:
            seen.outside.append(route.request.url)
            route.abort()

    def note_dialog(dialog: Dialog) -> None:
        seen.errors.append(f"a box says: {dialog.message}")
        dialog.dismiss()

    page.route("**/*", let_pass)
    page.on("websocket", lambda socket: seen.outside.append(socket.url))
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("dialog", note_dialog)
    page.on(
        "console",
        lambda message: seen.errors.append(message.text) if message.type in ("error", "warning") else None,
    )


def _walk(page: Page) -> list[Stop]:
    page.evaluate(f"{_script('focus')}; startAtTop()")
    stops: dict[str, Stop] = {}
    last, stays = "", 0
    while True:
        page.keyboard.press("Tab")
        found: dict[str, Any] | None = page.evaluate("tellFocus()")
        stays = stays + 1 if found is not None and found["element"] == last else 0
        if 0 < stays < MOST_PARTS:
            continue
        if found is None or found["element"] in stops:  # the end of the page, round again, or in a trap
            return list(stops.values())
        stop = Stop(element=found["element"], is_outlined=found["isOutlined"], is_in_view=found["isInView"])
        stops[stop.element], last = stop, stop.element


def _find_grave_violations(page: Page, rules: Sequence[str]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else ALL_RULES
    found = Axe().run(page, options=options | ONLY_VIOLATIONS).response["violations"]
    return [_say_violation(each) for each in found if each["impact"] in GRAVE]


def _say_violation(violation: dict[str, Any]) -> str:
    nodes: Sequence[dict[str, Any]] = violation["nodes"]
    first = "; ".join(f"{' '.join(map(str, node['target']))}: {node['html'][:120]}" for node in nodes[:3])
    return f"{violation['id']} ({violation['impact']}), {len(nodes)} elements, such as {first}"


def _script(name: str) -> str:
    return files("tests.browser").joinpath(f"{name}.js").read_text(encoding="utf-8")
