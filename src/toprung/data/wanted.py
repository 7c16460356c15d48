"""Which of a run's rows hold a labelled document? Told fast, for most rows hold none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.qrels import Qrels
from toprung.records import record

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from toprung.data.ordered import OrderedRows

type Positions = NDArray[np.int64]

SLOTS_PER_DOCUMENT = 32
"""Of a table that says which hashes may be wanted: one row in so many is looked at for nothing."""
MOST_BITS = 26


@record(eq=False)
class WantedDocuments:
    """The labelled documents, made ready to be looked up in as many runs as there are.

    ``frame`` has them as a table that can be joined: query_id, doc_id and ``wanted``, the row of the labels.
    """

    qrels: Qrels
    frame: pl.DataFrame
    query_places: dict[str, int]
    may_be_wanted: NDArray[np.bool_]
    """By the first bits of a document's hash."""

    @classmethod
    def of(cls, qrels: Qrels) -> WantedDocuments:
        from toprung.extras.frames import pl

        query_ids = pl.Series(qrels.query_ids, dtype=pl.String).gather(qrels.query_of_row)
        doc_ids = pl.Series(qrels.doc_ids, dtype=pl.String)
        frame = pl.DataFrame({"query_id": query_ids, "doc_id": doc_ids, "wanted": np.arange(len(qrels))})
        n_bits = min(MOST_BITS, (SLOTS_PER_DOCUMENT * len(qrels)).bit_length())
        may_be_wanted = np.zeros(1 << n_bits, dtype=bool)
        may_be_wanted[_first_bits(doc_ids, n_bits)] = True
        places = {query_id: place for place, query_id in enumerate(qrels.query_ids)}
        return cls(qrels, frame, places, may_be_wanted)

    def find(self, rows: OrderedRows) -> tuple[Positions, Positions]:
        """The positions of the rows that hold a labelled document, and the row of the labels for each."""
        from toprung.extras.frames import pl

        query_ids, doc_ids = rows.frame["query_id"], rows.frame["doc_id"]
        n_bits = len(self.may_be_wanted).bit_length() - 1
        at = np.flatnonzero(self.may_be_wanted[_first_bits(doc_ids, n_bits)])
        looked_at = pl.DataFrame({"query_id": query_ids.gather(at), "doc_id": doc_ids.gather(at), "at": at})
        found = looked_at.join(self.frame, on=["query_id", "doc_id"])
        return found["at"].to_numpy(), found["wanted"].to_numpy()


def _first_bits(doc_ids: pl.Series, n_bits: int) -> NDArray[np.uint64]:
    """The same for the same text within a process: never to be stored."""
    return doc_ids.hash().to_numpy() >> np.uint64(64 - n_bits)
