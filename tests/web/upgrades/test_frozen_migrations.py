"""A migration does for ever what it did when it came: a change of a model is a new migration."""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib.util
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader

DIGESTS = {
    "initial": "9817abb54e113bea419d12dca87a7350fc7fabc3e125e081f9cc33609093463b",
    "schema_digest": "fca5526c7f91249962048e2421441693a8a05e15d7bb7c7aa782130a386093c7",
    "account_owners": "9f428d2d4026c660e0dd44c5da048c6c786bcbec7360a718c9f391ebd9a4de8b",
}
"""Of what each migration does, by its subject. A line comes with its migration, and is never changed."""
OWN = "toprung.web.core.migrations."


def find_migrations() -> dict[str, Migration]:
    found = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return {name.partition("_")[2]: migration for (app, name), migration in sorted(found.items()) if app == "web"}


MIGRATIONS = find_migrations()


def digest_of(migration: Migration) -> str:
    """Of its operations with fields, constraints and indexes; modules and lines may move."""
    return hashlib.sha256(json.dumps(plain(migration.operations), sort_keys=True).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Whatever an operation is made of; code of the migration's own module by what it says, other code by name."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if hasattr(value, "deconstruct") and not isinstance(value, type):
        return [type(value).__name__, *map(plain, value.deconstruct()[-2:])]
    if callable(value):
        is_own = inspect.isfunction(value) and value.__module__.startswith(OWN)
        return [value.__name__, *code_beside(value)] if is_own else value.__name__
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def code_beside(function: Callable[..., object]) -> list[str]:
    """What its module says without the migration, so that what the function calls counts too.

    Comments and line breaks do not count. A dump of the tree would differ between versions of Python.
    """
    assert function.__name__ != "<lambda>", "a step without a name cannot be frozen: expected a function"
    said = ast.parse(Path(inspect.getfile(function)).read_text()).body
    left_out = (ast.Import, ast.ImportFrom, ast.Expr)
    return [
        ast.unparse(each)
        for each in said
        if not isinstance(each, left_out) and getattr(each, "name", "") != "Migration"
    ]


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("used_at=None", "used_at__lt=None"),
        ("def end_open_links", "WITHOUT = {}\n\n\ndef end_open_links"),
        ("    operations = [", "    # as they are\n    operations = ["),
        ("(apps, schema_editor):", "(\n    apps, schema_editor\n):"),
    ],
)
def test_edited_code_of_a_data_step_is_noticed_and_its_layout_is_not(before: str, after: str, tmp_path: Path) -> None:
    migration = MIGRATIONS["account_owners"]
    file = inspect.getsourcefile(type(migration))
    assert file is not None
    text = Path(file).read_text()
    assert text.count(before) == 1
    edited = tmp_path / "edited.py"
    edited.write_text(text.replace(before, after))
    spec = importlib.util.spec_from_file_location(f"{OWN}edited", edited)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    is_noticed = digest_of(module.Migration("edited", "web")) != digest_of(migration)
    assert is_noticed == (before in ("used_at=None", "def end_open_links"))


def test_models_need_no_migration_that_is_not_there(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
