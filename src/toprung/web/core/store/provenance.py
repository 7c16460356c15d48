"""Where does a page of a board come from? The line at its foot: labels, samples and seed, when, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import StoredResult

SHOWN_ENDS = 4
"""Characters of a digest at either end: enough to tell two versions apart, too few to test guesses at labels."""
DIGESTS = ("matrix_digest", "ranks_digest", "scores_digest")


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What stands at the foot of a page."""

    labels: LabelSet | None
    samples: str
    computed_at: datetime | None
    json_url: str

    @classmethod
    def of(cls, labels: LabelSet | None, result: StoredResult | None, *, json_url: str = "") -> Provenance:
        found = {} if result is None else result.content.get("provenance", {})
        return cls(
            labels=labels,
            samples=say_samples(found),
            computed_at=None if result is None else result.computed_at,
            json_url=json_url,
        )

    @property
    def digest(self) -> str:
        return "" if self.labels is None else shorten(self.labels.digest)


def shorten(digest: str) -> str:
    """A digest by its two ends.

    >>> shorten("sha256:9f2c0123456789abb41e")
    'sha256 9f2c…b41e'
    """
    return f"{digest.partition(':')[0]} {show_ends(digest)}"


def show_ends(digest: str) -> str:
    """The two ends alone, where it is said what they are; a digest may come without its kind.

    >>> show_ends("sha256:9f2c0123456789abb41e"), show_ends("9f2c0123456789abb41e")
    ('9f2c…b41e', '9f2c…b41e')
    """
    value = digest.rpartition(":")[2]
    return f"{value[:SHOWN_ENDS]}…{value[-SHOWN_ENDS:]}"


def say_samples(provenance: dict[str, Any]) -> str:
    """How often queries were drawn, and from which seed.

    >>> say_samples({"trials": 10000, "seed": 7})
    '10,000 bootstrap samples, seed 7'
    """
    if "seed" not in provenance:
        return ""
    trials = provenance.get("trials")
    drawn = f"{trials:,} bootstrap samples" if trials else provenance.get("interval", "")
    return ", ".join(part for part in (drawn, f"seed {provenance['seed']}") if part)


def without_digests(provenance: dict[str, Any]) -> dict[str, Any]:
    """For everyone: a digest of ranks on hidden labels lets who knows most of them test guesses at the rest."""
    kept = {key: value for key, value in provenance.items() if key not in DIGESTS}
    if "conditions" in kept:
        kept["conditions"] = [without_digests(each) for each in kept["conditions"]]
    return kept
