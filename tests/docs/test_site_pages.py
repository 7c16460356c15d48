"""Every page is listed, every link leads somewhere, and nothing that can be called is left out of the reference."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import click
import pytest
from docs.site.commands import COMMANDS, describe_group, to_markdown
from docs.site.contents import contents_of, listed_in
from docs.site.dead_links import find_dead_links
from docs.site.names import NAMES
from docs.site.pages import FENCED, START, find_pages, links_of, place_of, relink, text_of, to_anchor

import toprung
from toprung.cli.main import GROUPS, app

ROOT = Path(__file__).parents[2]
README = PurePosixPath("README.md")
PAGES = find_pages()
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
LISTS = [page for page in PAGES if page == START or page.name == "README.md"]


def anchors_of(text: str) -> set[str]:
    """What can be linked to in a page: its headings, the second of a name with a number."""
    found: set[str] = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        anchor = base = to_anchor(re.sub(r"\]\([^)]*\)", "", heading))
        number = 0
        while anchor in found:
            number += 1
            anchor = f"{base}-{number}"
        found.add(anchor)
    return found


def find_dead(page: PurePosixPath, text: str) -> list[str]:
    """Links to files that are not there, or to headings that a page does not have."""
    dead = []
    for target, anchor in links_of(page, text):
        if not (ROOT / target).is_file():
            dead.append(f"{target}: no such file")
        elif anchor and anchor not in anchors_of(text_of(target)):
            dead.append(f"{target}: no heading #{anchor}")
    return dead


def all_commands(command: click.Command = app, path: str = "toprung") -> list[tuple[str, click.Command]]:
    found = [] if command is app else [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = ((name, command.get_command(context, name)) for name in command.list_commands(context))
        found += [each for name, one in below if one is not None for each in all_commands(one, f"{path} {name}")]
    return found


def options_of(command: click.Command) -> list[click.Option]:
    return [each for each in command.get_params(click.Context(command)) if isinstance(each, click.Option)]


def test_every_page_is_listed_where_its_readers_look() -> None:
    listed = {page for listing in LISTS for page in listed_in(listing, text_of(listing))}
    orphans = [
        f"{page}: link to it in {START if page.parent == START.parent else page.parent / 'README.md'}"
        for page in PAGES
        if page != START and page not in listed
    ]
    assert orphans == []


def test_every_page_is_listed_once() -> None:
    listed = [page for listing in LISTS for page in listed_in(listing, text_of(listing))]
    assert sorted(listed) == sorted(set(listed))


def test_a_page_that_nobody_links_to_is_found() -> None:
    text = "# Concepts\n\n- [scores](scores.md)\n- [elsewhere](../glossary.md)\n"
    assert listed_in(PurePosixPath("docs/concepts/README.md"), text) == [PurePosixPath("docs/concepts/scores.md")]


def test_a_list_becomes_a_part_of_the_navigation() -> None:
    text = "# Concepts\n\nSee [scores](scores.md).\n"
    found = contents_of(PurePosixPath("docs/concepts/README.md"), text)
    assert found == "\n```{toctree}\n:hidden:\n\nscores.md\n```\n"
    assert contents_of(PurePosixPath("docs/concepts/scores.md"), text) == ""


def test_each_heading_of_the_start_page_is_a_part_of_the_navigation() -> None:
    text = "# T\n\n## Learn\n\n- [G](glossary.md)\n\n## Behind\n\n- [C](../CHANGELOG.md), [again](../CHANGELOG.md)\n"
    assert contents_of(START, text) == (
        "\n```{toctree}\n:hidden:\n:caption: Learn\n\nglossary.md\n```\n"
        "\n```{toctree}\n:hidden:\n:caption: Behind\n\nproject/changelog.md\n```\n"
    )


@pytest.mark.parametrize("page", [README, *PAGES], ids=str)
def test_links_lead_to_files_and_headings_that_are_there(page: PurePosixPath) -> None:
    assert find_dead(page, text_of(page)) == []


def test_dead_links_are_found() -> None:
    text = "[a](gone.md) [b](glossary.md#nothing) [c](glossary.md#boards) [d](https://example.org) `[e](code.md)`"
    assert find_dead(START, text) == ["docs/gone.md: no such file", "docs/glossary.md: no heading #nothing"]


def test_dead_links_of_a_built_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#x"></a><a href="#top"></a><img src="gone.svg"><a href="https://e.org">'
    )
    (tmp_path / "b.html").write_text('<a href="./"></a><a href="b%2Ehtml?q=1"></a>')
    assert find_dead_links(tmp_path) == ["a.html: gone.svg"]


def test_links_follow_their_pages_to_the_site() -> None:
    page = PurePosixPath("docs/howto/compare.md")
    text = "[a](../design/README.md) [`b`](../../CHANGELOG.md#x) [c](#here) [d](../../Makefile)\n"
    code = "```\n[e](../README.md)\n```\n"
    assert relink(page, text + code) == (
        "[a](../design/index.md) [`b`](../project/changelog.md#x) [c](#here) [d](../files/Makefile)\n" + code
    )


def test_no_two_pages_take_the_same_place() -> None:
    assert len({place_of(page) for page in PAGES}) == len(PAGES)


def test_headings_are_anchors_as_code_hosts_make_them() -> None:
    text = "# A `b`, c\n\n## Same\n\n## Same\n\n```sh\n# not one\n```\n\n## To [x](y.md)\n"
    assert anchors_of(text) == {"a-b-c", "same", "same-1", "to-x"}


def test_every_command_has_its_place_in_the_reference() -> None:
    asked = [heading for page in PAGES for heading in COMMANDS.findall(text_of(page))]
    assert sorted(asked) == sorted(GROUPS)
    described = "\n".join(line for heading in GROUPS for line in describe_group(heading))
    assert sorted(re.findall(r"^## (.+)$", described, re.MULTILINE)) == sorted(path for path, _ in all_commands())
    assert len(all_commands()) > 50


def test_every_command_says_what_it_does_and_every_option_what_it_is_for() -> None:
    silent = [path for path, command in all_commands() if not command.help]
    silent += [
        f"{path} {option.opts[0]}"
        for path, command in all_commands()
        for option in options_of(command)
        if option.hidden or not option.help
    ]
    assert silent == []


def test_help_is_shown_as_it_is_written() -> None:
    said = to_markdown("Into *one* folder (--state), as `labels pool` made it; a-b--c, <x> | [y].")
    assert said == r"Into \*one\* folder (`--state`), as `labels pool` made it; a-b--c, \<x\> \| \[y\]."


def test_every_option_stands_in_the_reference() -> None:
    described = "\n".join(line for heading in GROUPS for line in describe_group(heading))
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", described, re.MULTILINE | re.DOTALL))
    missing = [
        f"{path} {written}"
        for path, command in all_commands()
        for option in options_of(command)
        for written in (*option.opts, *option.secondary_opts)
        if written not in ("-h", "--help") and written not in sections[path]  # -h: once the command has been run
    ]
    assert missing == []


def test_every_public_name_stands_in_the_reference_once() -> None:
    listed = [name for page in PAGES for block in NAMES.findall(text_of(page)) for name in block.split()]
    assert sorted(name for name in listed if "." not in name) == sorted(toprung.__all__)


def test_every_public_name_says_what_it_is_for() -> None:
    """A data class that says nothing of itself is given a docstring by Python: its name and fields."""
    named = {name: getattr(toprung, name).__doc__ or "" for name in toprung.__all__ if name != "__version__"}
    assert [name for name, says in named.items() if not says or says.startswith(f"{name}(")] == []


def test_examples_of_docstrings_stand_under_a_heading_where_there_are_headings() -> None:
    """Else Sphinx takes them for parameters."""
    says = {name: getattr(toprung, name).__doc__ or "" for name in toprung.__all__}
    with_headings = {name: text for name, text in says.items() if re.search(r"^ *-{4,}$", text, re.MULTILINE)}
    with_examples = [name for name, text in with_headings.items() if ">>> " in text]
    assert [name for name in with_examples if not re.search(r"Examples\n *--------\n", says[name])] == []
    assert len(with_headings) > 20
