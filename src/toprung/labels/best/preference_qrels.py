"""What are the labels now? The best answers of the tournaments, as a version of the labels that knows where it is from.

A version is TREC qrels with grade 1 for every best answer, and a manifest: its digest, its parent's, that of the
judgments, and the policy. It holds only queries that were decided: the parent's labels stay the parent's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from toprung.data.judgments import Judgments
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.tournament import TournamentResult
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OFFICIAL_KINDS
from toprung.version import __version__

QRELS = "qrels"
"""The kind of record that keeps the versions in the state; in its manifest, the labels that were pooled."""
IDENTITY = ("digest", "judgments_digest", "policy", "kinds")
"""What makes a version: the labels, the judgments they rest on, how votes were counted, and whose."""


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
    version: str = __version__

    def to_record(self) -> dict[str, Any]:
        return {**asdict(self), "incomplete": list(self.incomplete), "kinds": list(self.kinds)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        try:
            lists = {"incomplete": tuple(record["incomplete"]), "kinds": tuple(record.get("kinds", ()))}
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
    results: Mapping[str, TournamentResult],
    *,
    parent: Qrels | str | None,
    judgments: Judgments,
    policy: str,
    kinds: Collection[str] = OFFICIAL_KINDS,
    pools: Iterable[Pool] = (),
    created: datetime | None = None,
) -> PreferenceQrels:
    """The labels that the tournaments give; their ``parent`` are the labels they come from, or the digest of those.

    Where the ``pools`` know of items with the text of a best answer, these are labels as well: a run is not to lose by
    which of two equal texts it found. ``created`` is now unless it is given.
    """
    best = {query_id: results[query_id].best for query_id in sorted(results) if results[query_id].best}
    best |= {pool.query_id: pool.with_twins(best[pool.query_id]) for pool in pools if pool.query_id in best}
    if not best:
        raise InputError(
            f"Found no decided query among {len(results):,}; expected at least one. Judge the missing pairs, or allow "
            "incomplete tournaments (--allow-incomplete, allow_incomplete=True)."
        )
    qrels = Qrels.from_dict(
        {query_id: dict.fromkeys(doc_ids, 1) for query_id, doc_ids in best.items()}, source="preference labels"
    )
    manifest = QrelsManifest(
        digest=qrels.digest,
        parent=parent.digest if isinstance(parent, Qrels) else parent,
        judgments_digest=judgments.digest,
        policy=str(policy),
        created=(created or datetime.now(UTC)).isoformat(timespec="seconds"),
        n_queries=qrels.n_queries,
        n_labels=len(qrels),
        n_undecided=len(results) - len(best),
        incomplete=tuple(query_id for query_id in best if results[query_id].is_incomplete),
        kinds=tuple(sorted(str(kind) for kind in kinds)),
    )
    return PreferenceQrels(qrels=qrels, manifest=manifest)


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
