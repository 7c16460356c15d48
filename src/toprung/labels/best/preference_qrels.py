"""What are the labels now? The best answers of the tournaments, as a version of the labels that knows where it is from.

A version is TREC qrels with grade 1 for every best answer, and a manifest: its digest, its parent's, that of the
judgments, and by which rule they were found. It holds only queries that were decided: the parent's labels stay the
parent's. A soft version has every answer that may be the best, with its P(best) in percent as the grade.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from toprung.data.judgments import Judgments
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.resolution import Resolution, ResolutionRule
from toprung.labels.best.tournament import BestAnswers
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OFFICIAL_KINDS
from toprung.version import __version__

QRELS = "qrels"
"""The kind of record that keeps the versions in the state; in its manifest, the labels that were pooled."""
IDENTITY = ("digest", "judgments_digest", "policy", "kinds", "rule", "at_least", "is_soft")
"""What makes a version: the labels, the judgments they rest on, how votes were counted, whose, and by which rule."""
LISTS = ("incomplete", "kinds", "voters")
PERCENT = 100


@dataclass(frozen=True, kw_only=True)
class QrelsManifest:
    """Where a version of the labels came from. Digests are of the content, whatever file holds it."""

    digest: str
    parent: str | None
    """The digest of the labels it was derived from."""
    judgments_digest: str
    policy: str
    created: str
    n_queries: int
    n_labels: int
    n_undecided: int
    """Queries that got no label: pairs are missing, or there is one answer that nobody judged."""
    incomplete: tuple[str, ...]
    """Queries decided although pairs were not judged."""
    kinds: tuple[str, ...] = ()
    """Whose votes counted; not known of versions that are older than this entry."""
    voters: tuple[str, ...] = ()
    """The assessors whose votes alone counted, where some were chosen by name."""
    rule: str = ResolutionRule.ELIMINATION
    """How votes gave best answers; versions that are older than this entry are by elimination."""
    at_least: float = 0.0
    """The least P(best) of a label."""
    penalty: float | None = None
    """λ of the prior behind P(best)."""
    is_soft: bool = False
    """Whether grades are P(best) in percent."""
    same_text: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Of soft labels, by query: each document that has the text of another, and that other."""
    version: str = __version__

    def to_record(self) -> dict[str, Any]:
        return {**asdict(self), **{name: list(getattr(self, name)) for name in LISTS}}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        try:
            lists = {"incomplete": record["incomplete"]} | {name: record.get(name, ()) for name in LISTS}
            lists = {name: tuple(values) for name, values in lists.items()}
            return cls(**{**record, **lists})
        except (KeyError, TypeError) as error:
            raise InputError(
                f"Found {str(record)[:200]}; expected the manifest of a label version ({error})."
            ) from None


@dataclass(frozen=True, kw_only=True)
class PreferenceQrels:
    """A version of the labels, and where it came from."""

    qrels: Qrels
    manifest: QrelsManifest


def to_preference_qrels(
    results: Mapping[str, BestAnswers],
    *,
    parent: Qrels | str | None,
    judgments: Judgments,
    policy: str,
    kinds: Collection[str] = OFFICIAL_KINDS,
    voters: Collection[str] = (),
    pools: Iterable[Pool] = (),
    rule: str | Resolution = ResolutionRule.ELIMINATION,
    gains: Mapping[str, Mapping[str, float]] | None = None,
    created: datetime | None = None,
) -> PreferenceQrels:
    """The labels that best answers make; their ``parent`` are the labels they come from, or the digest of those.

    Where the ``pools`` know of items with the text of a best answer, these are labels as well: a run is not to lose by
    which of two equal texts it found. ``rule`` says how the best answers were found. With ``gains``, P(best) by query
    and item, labels are soft: every item that may be the best, with its P(best) in percent. ``created`` is now unless
    it is given.
    """
    by_query = {pool.query_id: pool for pool in pools}
    labels = _soft_grades(gains, by_query) if gains is not None else _grades(results, by_query)
    if not labels:
        raise InputError(
            f"Found no decided query among {len(results):,}; expected at least one. Judge more pairs, ask for less "
            "(--at-least), or let the judged pairs decide (--rule strength)."
        )
    qrels = Qrels.from_dict(labels, source="preference labels")
    found = rule if isinstance(rule, Resolution) else None
    same_text = {query_id: by_query[query_id].same_text for query_id in labels if query_id in by_query}
    manifest = QrelsManifest(
        digest=qrels.digest,
        parent=parent.digest if isinstance(parent, Qrels) else parent,
        judgments_digest=judgments.digest,
        policy=str(policy),
        created=(created or datetime.now(UTC)).isoformat(timespec="seconds"),
        n_queries=qrels.n_queries,
        n_labels=len(qrels),
        n_undecided=sum(query_id not in labels for query_id in results),
        incomplete=tuple(query_id for query_id in labels if query_id in results and results[query_id].is_incomplete),
        kinds=tuple(sorted(str(kind) for kind in kinds)),
        voters=tuple(sorted(voters)),
        rule=str(rule) if found is None else found.rule.value,
        at_least=0.0 if found is None or gains is not None else found.at_least,
        penalty=None if found is None else found.prior.penalty,
        is_soft=gains is not None,
        same_text={query_id: dict(same) for query_id, same in same_text.items() if same} if gains is not None else {},
    )
    return PreferenceQrels(qrels=qrels, manifest=manifest)


def _grades(results: Mapping[str, BestAnswers], pools: Mapping[str, Pool]) -> dict[str, dict[str, int]]:
    best = {query_id: results[query_id].best for query_id in sorted(results) if results[query_id].best}
    best |= {query_id: pools[query_id].with_twins(items) for query_id, items in best.items() if query_id in pools}
    return {query_id: dict.fromkeys(doc_ids, 1) for query_id, doc_ids in best.items()}


def _soft_grades(gains: Mapping[str, Mapping[str, float]], pools: Mapping[str, Pool]) -> dict[str, dict[str, int]]:
    """P(best) in percent; an item with less than half a percent is none, and its twins share a text's."""
    found: dict[str, dict[str, int]] = {}
    for query_id in sorted(gains):
        percent = {item: round(PERCENT * gain) for item, gain in gains[query_id].items()}
        items = [item for item in percent if percent[item]]
        pool = pools.get(query_id)
        docs = items if pool is None else pool.with_twins(items)
        found[query_id] = {doc_id: percent[doc_id if pool is None else pool.represent(doc_id)] for doc_id in docs}
    return {query_id: docs for query_id, docs in found.items() if docs}


def manifest_path(path: str | os.PathLike[str]) -> Path:
    """Where the manifest of a label file lies: beside it."""
    return Path(f"{os.fspath(path)}.manifest.json")


def write_preference_qrels(version: PreferenceQrels, path: str | os.PathLike[str]) -> None:
    """Write the labels as TREC qrels, and their manifest beside them."""
    from toprung.data.formats.qrels_writing import write_qrels
    from toprung.data.formats.runs.writing import replacing

    write_qrels(version.qrels, path)
    with replacing(manifest_path(path)) as target:
        target.write_text(json.dumps(version.manifest.to_record(), indent=2) + "\n", encoding="utf-8")


def keep_version(effort: Effort, version: PreferenceQrels, path: str | os.PathLike[str]) -> None:
    """Write the labels to ``path``, and note the version in the state unless it is there already."""
    write_preference_qrels(version, path)
    manifest = version.manifest.to_record()
    known = ([record.get(name) for name in IDENTITY] for record in effort.read(QRELS))
    if [manifest[name] for name in IDENTITY] not in known:
        effort.append(QRELS, [{**manifest, "path": os.path.abspath(path)}])
