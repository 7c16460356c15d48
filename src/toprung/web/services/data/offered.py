"""What does a board offer? Files that its organisers gave or name, and its public labels, each with size and digest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from toprung.web.core.access.data import offered_files
from toprung.web.core.access.rights import Person
from toprung.web.core.access.texts import public_label_sets
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile, FileKind
from toprung.web.core.models.labels import LabelSet
from toprung.web.services.data.sending import StoredFile
from toprung.web.services.data.terms import must_accept
from toprung.web.services.labels.file_names import ending_of
from toprung.words.wording import say_count, say_queries, show_size

NOTES = {
    FileKind.QUERIES: "id and text of queries",
    FileKind.PASSAGES: "id and text of passages",
    FileKind.CORPUS: "the collection to search",
    FileKind.LABELS: "labels",
    FileKind.RUN: "a run to begin with",
    FileKind.KIT: "starter kit",
    FileKind.OTHER: "",
}


@dataclass(frozen=True, kw_only=True)
class OfferedFile:
    """A file as a page lists it and the command line fetches it."""

    name: str
    kind: str
    note: str
    size: int | None
    digest: str
    url: str
    """On this server, or elsewhere where it is a link; empty where terms stand before a link."""
    is_link: bool = False
    needs_terms: bool = True
    """Public labels were always there for everyone."""

    @property
    def shown_size(self) -> str:
        return "" if self.size is None else show_size(self.size)

    @property
    def sha256(self) -> str:
        return self.digest.removeprefix("sha256:")


def list_offered(board: Board, person: Person) -> list[OfferedFile]:
    """Files first, in the order they were given, then labels; where a link leads is told once terms are accepted."""
    keeps_back = must_accept(board, person)
    files = (_of_file(each, keeps_back=keeps_back) for each in offered_files(board))
    return [*files, *map(_of_labels, public_label_sets(board))]


def _of_file(file: DataFile, *, keeps_back: bool) -> OfferedFile:
    link = "" if keeps_back else file.link
    return OfferedFile(
        name=file.name,
        kind=file.kind,
        note=file.note or say_file(file),
        size=file.size,
        digest=file.digest,
        url=link if file.is_link else reverse("data_file", args=[file.board.slug, file.name]),
        is_link=file.is_link,
    )


def say_file(file: DataFile) -> str:
    """What is in it, where its organisers did not say it."""
    said = NOTES[FileKind(file.kind)]
    return f"{said}, {say_count(file.n_texts, 'line')}" if file.n_texts else said


def _of_labels(labels: LabelSet) -> OfferedFile:
    ending, size = _look_at(labels.pk, labels.digest)
    return OfferedFile(
        name=f"labels-{labels.use}-v{labels.version}{ending}",
        kind=FileKind.LABELS,
        note=f"labels of {say_queries(labels.n_queries)}, public: {labels.get_use_display()}",
        size=size,
        digest=labels.digest,
        url=reverse("public_labels", args=[labels.board.slug, labels.pk]),
        needs_terms=False,
    )


def find_stored(board: Board, name: str) -> tuple[StoredFile, bool] | None:
    """An offered file that lies here, by its name, and whether terms stand before it; None for what does not."""
    file = offered_files(board).filter(name=name).exclude(file="").first()
    if file is not None:
        return StoredFile.of(file), True
    for labels in public_label_sets(board):
        offered = _of_labels(labels)
        if offered.name == name:
            size = offered.size or 0
            return StoredFile(name=name, size=size, digest=labels.digest, file=labels.file), offered.needs_terms
    return None


@lru_cache(maxsize=256)
def _look_at(pk: int, digest: str) -> tuple[str, int]:  # noqa: ARG001 - the digest makes another file another entry
    labels = LabelSet.objects.get(pk=pk)
    return ending_of(labels), labels.file.size
