from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from tests.report.page.conftest import HOSTILE, RUNS
from tests.report.reading_pages import Page, unpack

import toprung as tr
from toprung.report.overview.result import Overview
from toprung.report.page import report
from toprung.report.page.report import to_report_page
from toprung.report.render import OutputFormat, render

HEADINGS = ("h1", "h2", "h3", "h4")


@pytest.fixture(scope="module")
def page(report_text: str) -> Page:
    return Page(report_text)


def packed(text: str) -> dict[str, str]:
    """What the page carries, by id."""
    return {key: unpack(each) for key, each in re.findall(r'<script type="text/x-packed" id="([^"]+)">([^<]*)<', text)}


def contents_of(page: Page) -> list[str]:
    """Links but those of marks."""
    return [link for link in page.all_of("href") if not link.startswith("#run-")]


def test_marks_of_figures_lead_to_the_rows_of_their_runs(ranks: tr.FirstRanks, tmp_path: Path) -> None:
    """Dots of the timeline and of costs, and names beside rows; whoever is named like markup."""
    metadata = tmp_path / "runs.csv"
    with metadata.open("w", newline="") as file:
        lines = ((run, f"2021-05-0{number}", number) for number, run in enumerate(RUNS, start=1))
        csv.writer(file).writerows([("run", "date", "cost"), *lines])
    text = to_report_page(tr.report(ranks, trials=20, metadata=metadata))
    rows = re.findall(r'<tr role="row" id="(run-\d)".*?<span class="name">(.*?)</span>', text)
    assert [place for place, _ in rows] == ["run-1", "run-2", "run-3", "run-4"]
    names = dict(rows)
    links = re.findall(r'<a href="#(run-\d)" aria-label="([^"]+)">(.*?)</a>', text)
    assert {place for place, *_ in links} == set(names)
    bare = {place: unescape(re.sub(r"<.*?>", "", name)) for place, name in names.items()}
    assert all(unescape(said).startswith(bare[place]) for place, said, _ in links)
    dots = [(said, mark) for _, said, mark in links if "<circle" in mark]
    assert len(dots) == 2 * 2 * len(RUNS)  # of two figures, each for wide screens and for small ones
    assert all(f"<title>{said}</title>" in mark for said, mark in dots)


def test_the_summary_comes_first(page: Page, hostile_overview: Overview, report_text: str) -> None:
    assert page.texts["h1"] == ["A <b>board</b>"]
    assert page.texts["p"][1] == f"{HOSTILE} does best, beyond chance."
    assert report_text.index('class="sentence"') < report_text.index("<nav") < report_text.index('class="board"')


def test_every_question_has_a_part_under_its_heading(page: Page, hostile_overview: Overview) -> None:
    questions = [part.question for part in hostile_overview.parts]
    assert page.texts["h2"] == [*questions, "Not in this report"]


def test_the_contents_lead_to_every_part(page: Page, hostile_overview: Overview) -> None:
    wanted = [f"#{part.key}" for part in hostile_overview.parts]
    assert contents_of(page) == ["#main", *wanted, "#not-here"]
    assert {link[1:] for link in page.all_of("href")} <= set(page.all_of("id"))


def test_each_answer_is_said_once(page: Page, hostile_overview: Overview) -> None:
    findings = [part.result.sentence for part in hostile_overview.parts[1:]]
    assert [each for each in page.texts["span"] if each in findings] == findings
    assert hostile_overview["board"].sentence not in page.texts["span"]  # the page opens with it


def test_every_part_is_folded_but_the_leaderboard(report_text: str, hostile_overview: Overview) -> None:
    assert report_text.count('<details class="part" open>') == 1
    assert report_text.count('<details class="part">') == len(hostile_overview.parts)  # with what is not there


def test_a_link_leads_into_what_is_folded_so_that_browsers_unfold_it(report_text: str, page: Page) -> None:
    for key in contents_of(page)[1:]:
        place = report_text.index(f'<section id="{key[1:]}"')
        assert report_text.rindex("</summary>", 0, place) > report_text.rindex("<details", 0, place)


def test_the_first_screen_draws_who_may_be_best(report_text: str) -> None:
    first = Page(report_text[report_text.index("<figure") : report_text.index("</figure>") + 9])
    assert first.texts["th"][4:] == [HOSTILE, RUNS[1], RUNS[2], RUNS[3]]
    assert "Shaded: may be best, 1 of 4 runs; below them the next highest scores." in first.texts["figcaption"][0]


def test_what_is_true_of_all_runs_is_said_once(sure_late_never: tr.FirstRanks) -> None:
    remark = "424 queries without labels ignored in 3 runs."
    found = tr.report(replace(sure_late_never, remarks=(remark,)), trials=20)
    assert sum(remark in part.result.notes for part in found.parts) > 3
    text = to_report_page(found)
    careful = text[text.index('class="careful"') : text.index("</section>")]
    assert Page(text[: text.index('<script type="text/x-packed"')]).texts["li"].count(remark) == 1
    assert remark in careful


def test_tables_say_which_columns_a_filter_of_runs_looks_at(report_text: str) -> None:
    assert '<table class="board" role="table" data-run-columns="1">' in report_text
    tables = re.findall(r'<table( data-run-columns="[0-9 ]+")?><thead>', report_text)
    assert tables.count("") < len(tables)


def test_how_it_was_found_stands_beside_the_figures(page: Page, hostile_overview: Overview) -> None:
    explained = [part.result.explanation for part in hostile_overview.parts if part.result.explanation]
    assert page.texts["h3"].count("How this was found") == len(explained) > 0
    assert all(each.how in page.texts["p"] for each in explained)
    assert all(assumption in page.texts["li"] for each in explained for assumption in each.assumptions)


def test_what_is_not_there_is_said_with_what_to_give(page: Page, hostile_overview: Overview) -> None:
    omitted = hostile_overview.omitted
    assert "private-qrels" in "".join(page.texts["dd"])
    assert [each for each in page.texts["dt"] if each in {o.question for o in omitted}] == [o.question for o in omitted]


def test_the_page_is_well_formed_with_one_first_heading_and_no_step_left_out(page: Page) -> None:
    assert page.open == []
    levels = [HEADINGS.index(tag) for tag in page.tags if tag in HEADINGS]
    assert levels.count(0) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [page.tags.count(landmark) for landmark in ("header", "nav", "main", "footer")] == [1, 1, 1, 1]


def test_no_id_is_there_twice_and_every_reference_has_its_id(page: Page) -> None:
    ids = page.all_of("id")
    assert len(ids) == len(set(ids))
    for attribute in ("aria-labelledby", "popovertarget", "data-spec", "data-key"):
        assert set(page.all_of(attribute)) <= set(ids), attribute


def test_names_are_text_and_nothing_else(page: Page, report_text: str) -> None:
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "style" not in [name for name, _ in page.attributes]
    assert "<script>alert" not in report_text
    assert report_text.count("<script") == len(packed(report_text)) + 1  # what is carried, and the page's own
    assert "<bdi>עברית</bdi> 🏆" in report_text


def test_nothing_is_asked_for_from_elsewhere(page: Page) -> None:
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert not {"src", "srcset", "action"} & {name for name, _ in page.attributes}
    assert all(link.startswith("#") for link in page.all_of("href"))


def test_the_files_are_those_that_the_commands_write(report_text: str, hostile_overview: Overview) -> None:
    carried = packed(report_text)
    for part in hostile_overview.parts:
        assert carried[f"{part.key}-csv"] == render(part.result, OutputFormat.CSV), part.key
    assert json.loads(carried["report-json"]) == json.loads(render(hostile_overview, OutputFormat.JSON))


def test_a_file_does_not_turn_a_name_into_a_formula(report_text: str) -> None:
    assert "\n=cmd" not in packed(report_text)["board-csv"]


def test_figures_are_drawn_for_wide_screens_and_for_small_ones(page: Page, report_text: str) -> None:
    assert page.tags.count("figure") > 3
    assert report_text.count('class="plot wide-only"') == report_text.count('class="plot narrow-only"') > 3
    assert report_text.count("<script") == 1 + len(packed(report_text)), "one script, and files to keep"


def test_the_same_report_gives_the_same_bytes(report_text: str, hostile_overview: Overview) -> None:
    assert to_report_page(hostile_overview) == report_text


def test_a_report_never_grows_beyond_its_limit_for_files(
    hostile_overview: Overview, report_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = len(report_text.encode()) - 1
    monkeypatch.setattr(report, "LARGEST_PAGE", limit)
    smaller = to_report_page(hostile_overview)
    assert len(smaller.encode()) <= limit
    assert packed(smaller).keys() < packed(report_text).keys()
    assert "report-json" not in packed(smaller)  # the largest of them
