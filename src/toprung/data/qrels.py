"""Which documents answer which queries? Relevance labels, as held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from toprung.arrays import np
from toprung.data.frames import LARGEST_GRADE, check_ids, to_qrels_columns
from toprung.data.held import INT32, INT64, buffer_of, hold, holds_arrays, is_of_kind
from toprung.data.packed import PackedTexts
from toprung.errors import FormatError
from toprung.records import record
from toprung.words.visible import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray


@holds_arrays(starts=INT64, grades=INT32)
@record(eq=False, repr=False)
class Qrels:
    """Relevance labels: for each query its judged documents with their grades.

    Rows of one query stand together, in the order of the file; row ``i`` of query ``q`` lies between
    ``starts[q]`` and ``starts[q + 1]``. A document is relevant from grade 1.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d9": 2}})
    >>> qrels
    Qrels(2 queries, 3 judgments, grades 0 to 2)
    """

    query_ids: tuple[str, ...]
    starts: NDArray[np.int64]
    doc_ids: tuple[str, ...]
    grades: NDArray[np.int32]
    source: str = "labels"

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, int]], *, source: str = "labels") -> Qrels:
        """Group rows of ``(query_id, doc_id, grade)`` by query, keeping their order."""
        by_query: dict[str, dict[str, int]] = {}
        for query_id, doc_id, grade in rows:
            docs = by_query.setdefault(query_id, {})
            if doc_id in docs:
                raise FormatError(
                    source=source,
                    found=f"document {quoted(doc_id)} of query {quoted(query_id)} twice",
                    expected="one grade for each document of a query",
                )
            docs[doc_id] = grade
        return cls.from_dict(by_query, source=source)

    @classmethod
    def from_dict(cls, labels: Mapping[str, Mapping[str, int]], *, source: str = "labels") -> Qrels:
        """From ``{query_id: {doc_id: grade}}``, as pytrec_eval and ranx hold labels."""
        check_ids(labels, source)
        if not any(labels.values()):
            raise FormatError(source=source, found="no judgments", expected="at least one judged document")
        for grade in (grade for docs in labels.values() for grade in docs.values()):
            if not _is_grade(grade):
                expected = "a whole number of at most 9 digits"
                raise FormatError(source=source, found=f"grade {grade!r}", expected=expected)
        return cls.from_checked(labels, source=source)

    @classmethod
    def from_checked(cls, labels: Mapping[str, Mapping[str, int]], *, source: str) -> Qrels:
        """The same for labels that are known to be texts and grades."""
        return cls(
            query_ids=tuple(labels),
            starts=hold(INT64, accumulate(map(len, labels.values()), initial=0)),
            doc_ids=tuple(doc_id for docs in labels.values() for doc_id in docs),
            grades=hold(INT32, (grade for docs in labels.values() for grade in docs.values())),
            source=source,
        )

    @classmethod
    def from_frame(cls, frame: Any, *, source: str = "labels") -> Qrels:
        """From a Polars or pandas frame with the columns of Toprung, ir_measures or PyTerrier."""
        return cls.from_rows(to_qrels_columns(frame, source=source).iter_rows(), source=source)

    def __post_init__(self) -> None:
        starts, grades = buffer_of(self, "starts"), buffer_of(self, "grades")
        fits = (
            is_of_kind(starts, INT64)
            and is_of_kind(grades, INT32)
            and len(starts) == len(self.query_ids) + 1
            and starts[0] == 0
            and starts[-1] == len(self.doc_ids) == len(grades)
            and all(start <= end for start, end in pairwise(starts.tolist()))
        )
        if not fits:
            raise FormatError(
                source=self.source,
                found="arrays that do not fit together",
                expected="one start (int64) for each query and one at the end, one grade (int32) for each document",
                advice="Use Qrels.from_rows, from_dict or from_frame.",
            )

    def to_dict(self) -> dict[str, dict[str, int]]:
        """As ``{query_id: {doc_id: grade}}``."""
        return {query_id: dict(docs) for query_id, docs in self._by_query()}

    def _by_query(self) -> Iterator[tuple[str, zip[tuple[str, int]]]]:
        """Each query with its documents and their grades."""
        grades = buffer_of(self, "grades").tolist()
        for query_id, (start, end) in zip(self.query_ids, pairwise(self.starts_buffer.tolist()), strict=True):
            yield query_id, zip(self.doc_ids[start:end], grades[start:end], strict=True)

    @property
    def n_queries(self) -> int:
        return len(self.query_ids)

    def __len__(self) -> int:
        """The number of judgments."""
        return len(self.doc_ids)

    def __repr__(self) -> str:
        grades = f"grades {self.grades.min()} to {self.grades.max()}"
        return f"Qrels({self.n_queries:,} queries, {len(self):,} judgments, {grades})"

    @cached_property
    def query_of_row(self) -> NDArray[np.int64]:
        """For each row the index of its query."""
        return _read_only(np.repeat(np.arange(self.n_queries), np.diff(self.starts)))

    @cached_property
    def has_relevant(self) -> tuple[bool, ...]:
        """For each query, whether any of its documents is relevant."""
        grades = buffer_of(self, "grades").tolist()
        return tuple(max(grades[start:end], default=0) >= 1 for start, end in pairwise(self.starts_buffer.tolist()))

    @property
    def starts_buffer(self) -> Any:
        """``starts`` for compiled code: no array is made of it."""
        return buffer_of(self, "starts")

    @cached_property
    def packed_query_ids(self) -> PackedTexts:
        return PackedTexts.of(self.query_ids)

    @cached_property
    def packed_doc_ids(self) -> PackedTexts:
        return PackedTexts.of(self.doc_ids)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the labels themselves, whatever file format they came in."""
        import hashlib  # only here: it loads OpenSSL, which an evaluation seldom needs

        rows = ((query_id, *row) for query_id, docs in self._by_query() for row in docs)
        lines = (f"{query_id}\t{doc_id}\t{grade}\n" for query_id, doc_id, grade in rows)
        return "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()


def _is_grade(grade: object) -> bool:
    if not isinstance(grade, int):  # what needs no NumPy is asked first
        return isinstance(grade, np.integer) and _is_grade(int(grade))
    return abs(grade) <= LARGEST_GRADE


def _read_only[Array: np.ndarray](array: Array) -> Array:
    array.setflags(write=False)
    return array
