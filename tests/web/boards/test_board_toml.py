"""A board is made from a file: the same settings under the same keys, every fault said after its key."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.boards.test_creating_a_board import qrels, stored
from tests.web.cast import Cast

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.drafts import BoardDraft
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, find_faults
from toprung.web.services.boards.create import create_board
from toprung.web.services.boards.defaults import complete
from toprung.web.services.boards.toml import LARGEST_FILE, read_board, read_board_file
from toprung.web.services.boards.toml_out import NamedLabels, write_board

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE = DOCS / "examples" / "board.toml"
HEAD = 'slug = "harbour"\ntitle = "Harbour"\ntask = "Rank."\n'
LABELS = '[[labels]]\nuse = "official"\nfile = "official.txt"\n'


def faults_of(text: str | bytes) -> list[str]:
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(BoardRefusedError) as refused:
        read_board(content, find_file=lambda name: Path("there") if name == "official.txt" else None)
    return [str(fault) for fault in refused.value.faults]


def test_the_example_of_the_docs_makes_a_board(cast: Cast) -> None:
    found = read_board_file(EXAMPLE)
    board = create_board(found.plan, found.labels, by=cast.organiser)
    assert (board.slug, board.release, board.gamma) == ("harbour-questions", "board-ladder:auto", "planned:20")
    assert (board.who_may_submit, board.board_quota) == ("approved", 100)
    assert board.opens_at.isoformat() == "2026-12-01T00:00:00+00:00"
    assert [(each.use, each.name, each.n_queries) for each in board.label_sets.order_by("pk")] == [
        ("official", "official", 8),
        ("private", "private", 4),
        ("dev", "dev", 3),
        ("extra", "graded", 8),
    ]


def test_the_example_and_the_reference_have_every_key() -> None:
    example, reference = EXAMPLE.read_text(), (DOCS / "reference" / "board-toml.md").read_text()
    for key in (*BoardPlan.__dataclass_fields__, "use", "file", "name"):
        assert f"\n{key} = " in example, key
        assert f"`{key}`" in reference, key


def test_what_is_left_out_is_as_the_plan_has_it() -> None:
    found = read_board((HEAD + LABELS).encode(), find_file=lambda _: Path("there"))
    assert found.plan == BoardPlan(slug="harbour", title="Harbour", task="Rank.")
    assert [(each.use, each.is_hidden) for each in found.labels] == [("official", True)]


def test_a_file_says_its_version_or_is_of_the_first() -> None:
    plan = read_board((HEAD + LABELS).encode(), find_file=lambda _: Path("there")).plan
    assert read_board(f"format = 1\n{HEAD}{LABELS}".encode(), find_file=lambda _: Path("there")).plan == plan
    with pytest.raises(BoardRefusedError, match=r"format: found 2; expected version 1 .* Install the version"):
        read_board(f"format = 2\ncolour = 'red'\n{HEAD}{LABELS}".encode(), find_file=lambda _: Path("there"))


def test_measures_are_spelled_as_boards_show_them() -> None:
    said = f'{HEAD}official_measure = "MRR@10"\nother_measures = ["NDCG@10"]\n{LABELS}'
    plan = read_board(said.encode(), find_file=lambda _: Path("there")).plan
    assert (plan.official_measure, plan.other_measures) == ("RR@10", ("nDCG@10",))


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("2026-12-01", "2026-12-01T00:00:00+00:00"),
        ("2026-12-01T09:00:00", "2026-12-01T09:00:00+00:00"),
        ("2026-12-01T09:00:00+02:00", "2026-12-01T07:00:00+00:00"),
    ],
)
def test_times_are_utc_unless_they_say_otherwise(said: str, when: str) -> None:
    plan = read_board(f"{HEAD}opens_at = {said}\n{LABELS}".encode(), find_file=lambda _: Path("there")).plan
    assert plan.opens_at is not None
    assert plan.opens_at.isoformat() == when


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("slug = ", "board.toml: found text that is not TOML (Invalid value (at end of document))"),
        (b"title = '\xff'", "board.toml: found a byte on line 1 that is not UTF-8; expected text in UTF-8."),
        ("x = " + "[" * 5000, "board.toml: found"),
        (f"{HEAD}quota = {'9' * 5000}\n{LABELS}", "board.toml: found text that is not TOML"),
        (f"{HEAD}{LABELS}[x]\n", "x: found a key that is not known; expected some of slug, title"),
        (f"{HEAD}qouta = 3\n{LABELS}", "Did you mean quota?"),
        (f'{HEAD}quota = "2"\n{LABELS}', "quota: found '2'; expected a whole number."),
        (f"{HEAD}quota = true\n{LABELS}", "quota: found True; expected a whole number."),
        (f"{HEAD}quota = 2.0\n{LABELS}", "quota: found 2.0; expected a whole number."),
        (f'{HEAD}alpha = "5%"\n{LABELS}', "alpha: found '5%'; expected a number such as 0.05."),
        (f'{HEAD}is_public = "yes"\n{LABELS}', "is_public: found 'yes'; expected true or false."),
        (f'{HEAD}opens_at = "2026-12-01"\n{LABELS}', "opens_at: found '2026-12-01'; expected a day or a time"),
        (f"{HEAD}opens_at = 0001-01-01T00:00:00+10:00\n{LABELS}", "opens_at: found 0001-01-01"),
        (f"{HEAD}rule = 1\n{LABELS}", "rule: found 1; expected text in quotes."),
        (f"{HEAD}official_measure = 10\n{LABELS}", "official_measure: found 10; expected text in quotes."),
        (f'{HEAD}other_measures = "nDCG@10"\n{LABELS}', "other_measures: found 'nDCG@10'; expected a list"),
        ('slug = "a"\ntitle = "A"\n' + LABELS, "task: found nothing; expected some words."),
        (HEAD, "labels: found no [[labels]]; expected at least the official ones."),
        (f'{HEAD}labels = "official.txt"', "labels: found 'official.txt'; expected tables"),
        (f'{HEAD}[[labels]]\nfile = "official.txt"', "labels 1, use: found nothing"),
        (f'{HEAD}[[labels]]\nuse = "official"', "labels 1, file: found nothing"),
        (f'{HEAD}[[labels]]\nuse = "secret"\nfile = "official.txt"', "labels 1, use: found 'secret'; expected one of"),
        (f'{HEAD}[[labels]]\nuse = "official"\nfile = "gone.txt"', "labels 1, file: found no file 'gone.txt'"),
        (f"{HEAD}{LABELS}hidden = true\n", "labels 1, hidden: found a key that is not known"),
        (f'{HEAD}{LABELS}is_hidden = "no"\n', "labels 1, is_hidden: found 'no'; expected true or false."),
        (f"{HEAD}{LABELS}name = 3\n", "labels 1, name: found 3; expected text in quotes."),
    ],
)
def test_a_fault_is_said_after_its_key(text: str | bytes, says: str) -> None:
    assert any(says in fault for fault in faults_of(text)), faults_of(text)


def test_all_faults_of_a_file_are_said_at_once() -> None:
    assert len(faults_of('title = "A"\nquota = "2"\nqouta = 1\n')) == 5  # slug, task, quota, qouta, labels


def test_a_key_that_is_not_known_hides_no_other_fault() -> None:
    text = f'{HEAD}measure = "RR@10"\nquota = 0\nrelease = "all"\ncutoff = "ten"\nseed = {2**31}\n{LABELS}'
    assert [each.partition(";")[0] for each in faults_of(text)] == [
        "measure: found a key that is not known",
        "cutoff: found 'ten'",
        "release: found 'all'",
        "quota: found 0",
        "seed: found 2,147,483,648",
    ]
    assert faults_of(text)[0].endswith(" Did you mean other_measures or official_measure?")
    assert faults_of(text)[-1].endswith("expected from 0 to 2,147,483,647.")


def test_a_board_that_would_be_over_when_it_is_made_is_refused_as_in_the_form(cast: Cast, tmp_path: Path) -> None:
    """It would be final at once, and could never be opened again."""
    (tmp_path / "official.txt").write_bytes(qrels("a", "b"))
    said = 'closes_at = 2021-01-01\nrelease = "closed:2020-06-01"\n'
    (tmp_path / "board.toml").write_text(f"{HEAD}{said}{LABELS}")
    found, before = read_board_file(tmp_path / "board.toml"), stored()
    with pytest.raises(BoardRefusedError) as refused:
        create_board(found.plan, found.labels, by=cast.organiser)
    assert [str(each) for each in refused.value.faults] == [
        "closes_at: found 2021-01-01 00:00; expected a time to come.",
        "release: found 2020-06-01; expected a day to come.",
    ]
    assert stored() == before


def test_a_file_that_is_too_large_is_not_read() -> None:
    assert faults_of(b"#" * (LARGEST_FILE + 1)) == ["board.toml: found 1,048,577 bytes; expected 1,048,576 at most."]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BoardRefusedError, match="found no such file; expected a board"):
        read_board_file(tmp_path / "board.toml")


def test_a_device_is_no_file() -> None:
    with pytest.raises(InputError, match="/dev/zero: found a device or a pipe; expected a file"):
        read_board_file(Path("/dev/zero"))


def test_a_number_beyond_all_measure_is_a_fault_like_any_other() -> None:
    plan = read_board(f"{HEAD}quota = {'9' * 400}\n{LABELS}".encode(), find_file=lambda _: Path("there")).plan
    (fault,) = find_faults(complete(plan, ()).plan)
    assert fault.key == "quota"
    assert len(str(fault)) < 100


def test_settings_are_held_to_the_same_rules_as_the_form(cast: Cast, tmp_path: Path) -> None:
    (tmp_path / "official.txt").write_bytes(qrels("a", "b"))
    (tmp_path / "board.toml").write_text(f'{HEAD}release = "all"\nembargo_months = 12\n{LABELS}')
    found, before = read_board_file(tmp_path / "board.toml"), stored()
    with pytest.raises(BoardRefusedError) as refused:
        create_board(found.plan, found.labels, by=cast.organiser)
    assert {fault.key for fault in refused.value.faults} == {"release", "embargo_months"}
    assert stored() == before


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ('use = "private"\nfile = "p.txt"', "labels: found 0 sets of official labels; expected one."),
        ('use = "official"\nfile = "o.txt"\n[[labels]]\nuse = "official"\nfile = "p.txt"', "found 2 sets of official"),
        ('use = "official"\nfile = "o.txt"\n[[labels]]\nuse = "dev"\nfile = "p.txt"\nis_hidden = true', "hidden dev"),
        (
            'use = "official"\nfile = "o.txt"\n[[labels]]\nuse = "private"\nfile = "p.txt"\nis_hidden = false',
            "found private labels that are not hidden",
        ),
        (
            'use = "official"\nfile = "o.txt"\n[[labels]]\nuse = "extra"\nfile = "o.txt"\n'
            '[[labels]]\nuse = "extra"\nfile = "o.txt"',
            "found the name 'extra' twice",
        ),
        (
            'use = "official"\nfile = "o.txt"\n[[labels]]\nuse = "private"\nfile = "o.txt"',
            r"o.txt \(official\) in o.txt \(private\)",
        ),
    ],
)
def test_sets_that_do_not_go_together_are_refused(cast: Cast, tmp_path: Path, labels: str, says: str) -> None:
    (tmp_path / "o.txt").write_bytes(qrels("a", "b"))
    (tmp_path / "p.txt").write_bytes(qrels("c", "d"))
    (tmp_path / "board.toml").write_text(f"{HEAD}[[labels]]\n{labels}\n")
    found, before = read_board_file(tmp_path / "board.toml"), stored()
    with pytest.raises(BoardRefusedError, match=says):
        create_board(found.plan, found.labels, by=cast.organiser)
    assert stored() == before


def test_a_plan_that_is_written_is_read_as_the_same() -> None:
    """Every kind of value, with letters that a file must escape."""
    plan = BoardPlan(
        slug="a",
        title='Quotes " and \\ and é',
        task="Rank.",
        description="two\nlines\tand\x7f",
        is_public=False,
        closes_at=datetime(2027, 3, 1, 12, 30, tzinfo=UTC),
        other_measures=("AP", "RR(rel=2)@5"),
        alpha=0.01,
        answered_margin=0.02,
        board_quota=7,
    )
    labels = [
        NamedLabels(use="official", file="o.txt", name="", is_hidden=False),
        NamedLabels(use="extra", file="é.txt", name="graded", is_hidden=True),
        NamedLabels(use="dev", file="d.txt", name="", is_hidden=False),
    ]
    found = read_board(write_board(plan, labels).encode(), find_file=lambda _: Path("there"))
    assert found.plan == plan
    assert [(each.use, each.file_name, each.name, each.is_hidden) for each in found.labels] == [
        (each.use, each.file, each.name, each.is_hidden) for each in labels
    ]


# ---- the same in the browser ----


def post(client: Client, board_file: bytes, **labels: bytes) -> Any:
    files = [SimpleUploadedFile(f"{name}.txt", content) for name, content in labels.items()]
    fields = {"from_file": "1", "board_file": SimpleUploadedFile("board.toml", board_file), "label_files": files}
    return client.post("/boards/new/", fields)


def test_the_example_fills_all_steps_and_comes_out_of_them_the_same(client: Client, cast: Cast) -> None:
    """File → steps → file: every step is sent as its page shows it."""
    client.force_login(cast.organiser)
    example = read_board_file(EXAMPLE)
    labels = {each.path.stem: each.path.read_bytes() for each in example.labels}
    check = post(client, EXAMPLE.read_bytes(), **labels).url
    assert check.endswith("/check/")
    before = client.get(check.replace("check/", "board.toml")).content
    read = read_board(before, find_file=lambda _: Path("there"))
    assert read.plan == complete(example.plan, example.labels).plan
    for step in ("labels", "measure", "policy"):
        address = check.replace("check", step)
        assert client.post(address, fields_of(client.get(address).content.decode())).status_code == 302, step
    assert client.get(check.replace("check/", "board.toml")).content == before
    opened = client.post(check, fields_of(client.get(check).content.decode()) | {"has_read": "on"})
    assert opened.url == f"/b/{example.plan.slug}/organise/"
    board = Board.objects.get(slug=example.plan.slug)
    assert BoardPlan.of(board) == read.plan
    assert board.label_sets.count() == len(example.labels)


def fields_of(page: str) -> dict[str, Any]:
    """What a browser would send of the form of a step that nobody touched."""
    form = page[page.index('id="step"') :].partition("</form>")[0]
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        given = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        kind, is_ticked = given.get("type", "text"), re.search(r"\bchecked\b", tag) is not None
        if kind == "file" or (kind in ("radio", "checkbox") and not is_ticked):
            continue
        sent.setdefault(given["name"], []).append(unescape(given.get("value", "on" if kind == "checkbox" else "")))
    for name, text in re.findall(r'<textarea\b[^>]*name="(\w+)"[^>]*>\n?(.*?)</textarea>', form, flags=re.DOTALL):
        sent[name] = [unescape(text)]
    return sent


def test_a_browser_reaches_no_file_that_it_did_not_send(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    before = stored()
    for name in ("../../../etc/passwd", "/etc/passwd", "irds:vaswani"):
        response = post(client, (HEAD + LABELS.replace("official.txt", name)).encode(), official=qrels("a", "b"))
        assert response.status_code == 422
        assert "found no file" in response.content.decode()
    response = post(client, f"{HEAD}quota = '<b>'\n{LABELS}".encode(), official=qrels("a", "b"))
    assert response.status_code == 422, "faults of a file stand above the form"
    assert "quota: found &#x27;&lt;b&gt;&#x27;; expected a whole number." in response.content.decode()
    assert stored() == before
    assert not BoardDraft.objects.exists()


def test_more_files_than_a_form_has_can_be_sent(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    sets = "".join(f'[[labels]]\nuse = "private"\nname = "{n}"\nfile = "p{n}.txt"\n' for n in range(5))
    labels = {f"p{n}": qrels(f"x{n}", f"y{n}") for n in range(5)}
    text = HEAD + LABELS.replace("official.txt", "labels/official.txt") + sets
    response = post(client, text.encode(), official=qrels("a", "b"), **labels)
    assert response.status_code == 302, response.content.decode()
    assert BoardDraft.objects.get().label_sets.count() == 6


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"".join(b"k%d = 1\n" % number for number in range(2_000)), "found more than 1,000 values"),
        (b"[[labels]]\nuse = 'dev'\n" * 2_000, "found more than 1,000 values"),
        (b"quota" + b".a" * 3_000 + b" = 1", "found values nested too deeply"),
        (b"quota = " + b"[" * 50_000, "found values nested too deeply"),
        (b"quota = " + b"[" * 6 + b"1" + b"]" * 6, "found values nested too deeply"),
    ],
)
def test_a_file_that_is_made_to_keep_the_server_busy_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(BoardRefusedError, match=rf"board\.toml: {says}"):
        read_board(content, find_file=lambda _: None)


def test_it_is_parsed_by_a_child_whose_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte of this keeps the parser of the standard library busy for minutes."""
    monkeypatch.setattr("toprung.web.services.boards.toml.SECONDS", 1)
    with pytest.raises(BoardRefusedError, match=r"could not be read to its end .more than 1 second of processor time"):
        read_board(b"a" + b".a" * 500_000 + b" = 1", find_file=lambda _: None)
