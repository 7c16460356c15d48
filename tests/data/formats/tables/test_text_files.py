"""What do the queries and documents say?"""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toprung.data.formats.content import PIECE, Limits
from toprung.data.formats.tables.text_files import iterate_texts, read_texts
from toprung.errors import FormatError, InputError, TooLargeError


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "texts"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_a_tsv_is_an_id_and_a_text(write: Any) -> None:
    assert read_texts(write("q1\twhat is\ta frog\r\nq2\t ünder \n\n")) == {"q1": "what is\ta frog", "q2": "ünder"}


@pytest.mark.parametrize(
    ("lang", "found"),
    [
        *(('"de"', "de"), ('"pt-BR"', "pt-BR"), ('"zh-Hant-TW"', "zh-Hant-TW")),
        *(("7", ""), ("null", ""), ('"x"', ""), ('"de, en"', ""), ('"de\\" onload=\\""', ""), ('"german-ish-"', "")),
    ],
)
def test_a_json_text_may_say_its_language_by_a_tag(write: Any, lang: str, found: str) -> None:
    (line,) = iterate_texts(write(f'{{"id": "d1", "text": "Sie springen.", "lang": {lang}}}'))
    assert line == (1, "d1", "Sie springen.", found)


def test_a_tsv_says_no_language(write: Any) -> None:
    assert [line.lang for line in iterate_texts(write("d1\tThey jump.\n"))] == [""]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"_id": "d1", "title": "Frogs", "text": "They jump."}', {"d1": "Frogs\nThey jump."}),
        ('{"id": "d1", "contents": "They jump."}', {"d1": "They jump."}),
        ('{"docid": 7, "title": "", "text": " They jump. "}', {"7": "They jump."}),
        ('{"query_id": "q1", "query": "frogs?"}', {"q1": "frogs?"}),
        ('{"_id": "d1", "title": "Only a title"}', {"d1": "Only a title"}),
        ('{"_id": "d1", "text": ""}', {"d1": ""}),
        ('{"doc_id": "d1", "url": "u", "title": "Frogs", "body": "They jump."}', {"d1": "Frogs\nThey jump."}),
        ('{"doc_id": "d1", "title": "Frogs", "abstract": "They jump."}', {"d1": "Frogs\nThey jump."}),
        ('{"query_id": "1", "title": "frogs", "description": "Do they?", "narrative": "…"}', {"1": "frogs"}),
        ('{"query_id": "1", "type": "test", "description": "A cough.", "summary": "…"}', {"1": "A cough."}),
        ('{"query_id": "1_2", "raw_utterance": "And toads?", "topic_number": 1}', {"1_2": "And toads?"}),
    ],
)
def test_json_lines_are_read_by_their_usual_names(write: Any, line: str, expected: dict[str, str]) -> None:
    assert read_texts(write(line + "\n")) == expected


def test_only_the_wanted_are_kept(write: Any) -> None:
    assert read_texts(write("d1\ta\nd2\tb\nd1\tagain\n"), wanted=["d2", "d9"]) == {"d2": "b"}


def test_an_id_that_says_the_same_twice_is_no_fault(write: Any) -> None:
    assert read_texts(write("d1\ta\nd1\ta\n")) == {"d1": "a"}


def test_a_packed_file_is_read_within_its_limit(write: Any) -> None:
    path = write(bz2.compress(b"d1\ttext\n"))
    assert read_texts(path) == {"d1": "text"}
    with pytest.raises(TooLargeError):
        read_texts(path, limits=Limits(max_bytes=2))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("d1\ta\nd2 b\n", "line 2: found 'd2 b'; expected an id, a tab and a text."),
        ("d1\ta\n\tb\n", "line 2: found"),
        ("d1\ta\nd1\tb\n", "line 2: found 'd1' again with another text, first on line 1; expected one"),
        ('{"id": "d1"}\n', "line 1: found an object with the keys 'id'; expected a JSON object with an id and a text."),
        ('{"id": "d1", "text": 3}\n', "line 1: found an object with the keys 'id, text'"),
        ('{"id": {"a": 1}, "text": "a"}\n', "line 1: found an object with the keys 'id, text'"),
        ('{"id": "\\ud800", "text": "a"}\n', "line 1: found an object with the keys 'id, text'"),
        ('{"id": "d1", "text": "\\ud800"}\n', "line 1: found an object with the keys 'id, text'"),
        ('{"id": "d1", "text": "a"}\n[]\n', "line 2: found '[]'"),
        ("{" * 100_000, "line 1: found"),
        ("", "found an empty file"),
        (b"d1\t\xff\n", "line 1: found byte 0xff at position 4 of the line"),
    ],
)
def test_a_fault_is_refused_with_its_line(write: Any, content: str | bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_texts(write(content))
    assert message in str(caught.value)


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A dataset registered from local files: nothing is downloaded."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets IS NOT TESTED: it is not installed")
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import GenericDoc, TsvQueries
    from ir_datasets.formats.base import BaseDocs

    class Docs(BaseDocs):
        rows = (GenericDoc("d1", "a frog"), GenericDoc("d2", "a toad"))

        def docs_iter(self) -> Any:
            return iter(self.rows)

        def docs_store(self, *_: Any, **__: Any) -> Any:
            return self

        def get_many(self, wanted: Any) -> dict[str, GenericDoc]:
            return {row.doc_id: row for row in self.rows if row.doc_id in wanted}

        def docs_cls(self) -> type:
            return GenericDoc

    class LocalFile:
        def stream(self) -> Any:
            return (tmp_path / "queries.tsv").open("rb")

    (tmp_path / "queries.tsv").write_text("q1\twhat is a frog\nq2\twhat is a toad\n")
    monkeypatch.setitem(ir_datasets.registry._registered, "toy/texts", Dataset(Docs(), TsvQueries(LocalFile())))
    monkeypatch.setitem(ir_datasets.registry._registered, "toy/bare", Dataset())
    return "irds:toy/texts"


def test_texts_come_by_the_name_of_a_dataset(dataset: str) -> None:
    assert read_texts(dataset) == {"d1": "a frog", "d2": "a toad"}
    assert read_texts(dataset, wanted=["d2"]) == {"d2": "a toad"}
    assert read_texts(dataset, kind="queries") == {"q1": "what is a frog", "q2": "what is a toad"}
    assert read_texts(dataset, kind="queries", wanted=["q2", "q9"]) == {"q2": "what is a toad"}


def test_a_dataset_without_texts_is_refused(dataset: str) -> None:
    with pytest.raises(InputError, match="found a dataset without documents"):
        read_texts("irds:toy/bare")
    with pytest.raises(InputError, match="found a dataset without queries"):
        read_texts("irds:toy/bare", kind="queries")


def test_real_texts_are_read(shared_data: Path) -> None:
    passages = read_texts(shared_data / "text-dl19" / "qrels_text.dl19.gz")
    assert passages["1017759"].startswith("Man and environment reciprocal relationship.")
    assert read_texts(shared_data / "text-dl19" / "topics.txt", kind="queries")["156493"] == "do goldfish grow"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress], ids=["plain", "gz", "bz2"])
def test_pieces_make_the_same_texts_and_line_numbers(
    write: Any, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    """Pieces of 7 bytes end inside lines, line ends and letters."""
    monkeypatch.setattr("toprung.data.formats.content.PIECE", 7)
    lines = [f"d{number}\tünder {'long ' * number}".strip() for number in range(9)]
    content = "\ufeff" + "\r\n\n".join(lines)
    expected = {line.partition("\t")[0]: line.partition("\t")[2] for line in lines}
    assert read_texts(write(pack(content.encode()))) == expected
    with pytest.raises(FormatError, match="line 19"):  # nine lines, a blank one behind each
        read_texts(write(pack(f"{content}\n\nno tab".encode())))


def test_a_packed_collection_is_not_held_in_memory(write: Any) -> None:
    """60 MB of texts, of which one is wanted."""
    path = write(gzip.compress(b"".join(b"d%d\t%s\n" % (number, b"x y " * 250) for number in range(60_000)), 1))
    read_texts(path, wanted=["d7"])  # so that modules are loaded before
    tracemalloc.start()
    assert list(read_texts(path, wanted=["d7"])) == ["d7"]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 6 * PIECE
