"""What is stored? One module a subject; importing the package gives Django all of them."""

from toprung.web.core.models import (
    audit,
    boards,
    campaigns,
    claims,
    data,
    drafts,
    endings,
    following,
    judging,
    labels,
    people,
    public_columns,
    reported_labels,
    results,
    runs,
    work,
)

__all__ = [
    "audit",
    "boards",
    "campaigns",
    "claims",
    "data",
    "drafts",
    "endings",
    "following",
    "judging",
    "labels",
    "people",
    "public_columns",
    "reported_labels",
    "results",
    "runs",
    "work",
]
