"""A migration does for ever what it did when it came: a change of a model is a new migration."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader

DIGESTS = {
    "initial": "9817abb54e113bea419d12dca87a7350fc7fabc3e125e081f9cc33609093463b",
    "schema_digest": "fca5526c7f91249962048e2421441693a8a05e15d7bb7c7aa782130a386093c7",
    "account_owners": "224ddc717c24b6d6bf112fee61eba620df6df979a8967fab6d57081a40d277f4",
}
"""Of what each migration does, by its subject. A line comes with its migration, and is never changed."""


def find_migrations() -> dict[str, Migration]:
    found = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return {name.partition("_")[2]: migration for (app, name), migration in sorted(found.items()) if app == "web"}


MIGRATIONS = find_migrations()


def digest_of(migration: Migration) -> str:
    """Of its operations with fields, constraints and indexes; modules and lines may move."""
    return hashlib.sha256(json.dumps(plain(migration.operations), sort_keys=True).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Whatever an operation is made of, by name where it is code."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if hasattr(value, "deconstruct") and not isinstance(value, type):
        return [type(value).__name__, *map(plain, value.deconstruct()[-2:])]
    if callable(value):
        return value.__name__
    return value if isinstance(value, str | int | float | bool | None) else str(value)


@pytest.mark.parametrize("subject", MIGRATIONS)
def test_a_migration_does_what_it_did_when_it_came(subject: str) -> None:
    now = digest_of(MIGRATIONS[subject])
    assert subject in DIGESTS, f'a migration that is not frozen yet: add "{subject}": "{now}" to DIGESTS'
    assert now == DIGESTS[subject], "a migration was edited: undo that, and write a new one (see CONTRIBUTING.md)"


def test_nothing_that_may_move_is_in_the_digest() -> None:
    assert "toprung" not in json.dumps(plain(MIGRATIONS["initial"].operations))


def test_a_changed_field_is_noticed() -> None:
    changed = copy.deepcopy(MIGRATIONS["initial"])
    model = next(each for each in changed.operations if getattr(each, "name", "") == "WorkerSeen")
    dict(model.fields)["worker"].max_length = 81
    assert digest_of(changed) != digest_of(MIGRATIONS["initial"])


def test_models_need_no_migration_that_is_not_there(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
