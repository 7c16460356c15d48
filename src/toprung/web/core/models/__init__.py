"""What is stored? One module a subject; importing the package gives Django all of them."""

from toprung.web.core.models import audit, boards, claims, labels, people, results, runs, work

__all__ = ["audit", "boards", "claims", "labels", "people", "results", "runs", "work"]
