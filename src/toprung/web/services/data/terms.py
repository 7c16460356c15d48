"""Under which terms may the files be had? In versions known by their digests; who accepted which one is on record."""

from __future__ import annotations

import hashlib

from django.db.models import QuerySet

from toprung.errors import InputError
from toprung.web.core.access.rights import Person
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataTerms, TermsAcceptance
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board


class TermsError(InputError):
    """Nothing was given, and what must be accepted first."""


def current_terms(board: Board) -> DataTerms | None:
    """The version that holds; None where there is nothing to accept."""
    last = board.data_terms.order_by("-pk").first()
    return last if last is not None and last.text else None


def set_terms(board: Board, text: str, *, by: User) -> DataTerms | None:
    """A new version, if it differs; everyone is asked again then. An empty text takes the terms away."""
    text = text.replace("\r\n", "\n").strip()
    longest = DataTerms._meta.get_field("text").max_length or 0
    if "\0" in text:
        raise TermsError("Terms: found a zero character; expected text.")
    if len(text) > longest:
        raise TermsError(f"Terms: found {len(text):,} characters; expected {longest:,} at most.")
    with lock_board(board.pk) as held:
        before = current_terms(held)
        if (before.text if before else "") == text:
            return before
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        made = DataTerms.objects.create(board=held, text=text, digest=digest, by=by)
        record(held, by, "Changed the terms of the data" if text else "Took away the terms of the data", digest=digest)
    return made if text else None


def accept_terms(board: Board, digest: str, *, by: User) -> TermsAcceptance:
    """Of the version that was read: where it changed meanwhile, nothing is accepted."""
    terms = current_terms(board)
    if terms is None or terms.digest != digest:
        raise TermsError("Found terms that no longer hold; expected those of now. Read them and accept them again.")
    accepted, _ = TermsAcceptance.objects.get_or_create(terms=terms, user=by)
    return accepted


def find_acceptance(board: Board, person: Person) -> TermsAcceptance | None:
    """When the person accepted the terms that hold."""
    terms = current_terms(board)
    if terms is None or not person.is_authenticated:
        return None
    return terms.acceptances.filter(user=person).first()


def list_acceptances(board: Board) -> QuerySet[TermsAcceptance]:
    """Of every version, the latest first; for organisers."""
    found = TermsAcceptance.objects.filter(terms__board=board).select_related("user", "terms")
    return found.order_by("-at", "-pk")


def must_accept(board: Board, person: Person) -> bool:
    """Whether something stands between the person and the files."""
    return current_terms(board) is not None and find_acceptance(board, person) is None
