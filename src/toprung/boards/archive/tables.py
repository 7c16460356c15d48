"""Which tables does a bundle have, and in which order do they build on each other?"""

from __future__ import annotations

BOARD = "board.json"
PEOPLE = "people.jsonl"
TEAMS = "teams.jsonl"
LABEL_SETS = "label_sets.jsonl"
RUNS = "runs.jsonl"
REFUSED = "refused.jsonl"
EDITS = "edits.jsonl"
CHARGES = "charges.jsonl"
COLUMNS = "columns.jsonl"
CLAIMS = "claims.jsonl"
STANDINGS = "standings.jsonl"
RESULTS = "results.jsonl"
AUDIT = "audit.jsonl"
ACCESSES = "label_accesses.jsonl"
ANNOUNCEMENTS = "announcements.jsonl"
DATA_FILES = "data_files.jsonl"
TERMS = "data_terms.jsonl"
TEXT_ACCESSES = "text_accesses.jsonl"
CAMPAIGNS = "campaigns.jsonl"
DESIGNS = "campaign_designs.jsonl"
PROPOSED_GOLDS = "proposed_golds.jsonl"
REFUSED_LABELS = "refused_labels.jsonl"
CHALLENGES = "open_challenges.jsonl"
ORIGINS = "label_origins.jsonl"
RECORDS = "judging_records.jsonl"

TABLES = (
    PEOPLE,
    TEAMS,
    LABEL_SETS,
    RUNS,
    REFUSED,
    EDITS,
    CHARGES,
    COLUMNS,
    CLAIMS,
    STANDINGS,
    RESULTS,
    AUDIT,
    ACCESSES,
    ANNOUNCEMENTS,
    DATA_FILES,
    TERMS,
    TEXT_ACCESSES,
    CAMPAIGNS,
    DESIGNS,
    PROPOSED_GOLDS,
    REFUSED_LABELS,
    CHALLENGES,
    ORIGINS,
    RECORDS,
)

COUNTED = {
    "runs": RUNS,
    "teams": TEAMS,
    "claims": CLAIMS,
    "charges": CHARGES,
    "label_sets": LABEL_SETS,
    "results": RESULTS,
    "audit_entries": AUDIT,
    "announcements": ANNOUNCEMENTS,
    "data_files": DATA_FILES,
    "campaigns": CAMPAIGNS,
    "judging_records": RECORDS,
}
"""How many rows of which tables the manifest tells."""


def label_file(place: int) -> str:
    """The file of the set that stands at this place in `LABEL_SETS`, from 1."""
    return f"labels/{place}"


def data_file(place: int) -> str:
    """The file of the row that stands at this place in `DATA_FILES`, from 1."""
    return f"data/{place}"


def original_file(label: str) -> str:
    """A run as it was sent."""
    return f"runs/{label}.original"


def parquet_file(label: str) -> str:
    """The same run as it is scored from."""
    return f"runs/{label}.parquet"
