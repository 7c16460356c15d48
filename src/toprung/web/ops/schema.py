"""Compares the tables of the database with the models of this version, and refuses tables of another edition.

A migration that is recorded as applied may have been another one when it was: its name alone proves nothing. So the
tables themselves are asked, before anything is changed and before anything starts. An additional index or table harms
nothing. A column more or less, another type, or another key is refused: what reads or changes the table would fail, or
lose what stands there.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from toprung.errors import InputError
from toprung.version import __version__
from toprung.web.core.models.work import SchemaDigest

if TYPE_CHECKING:
    from django.db import models

    from toprung.web.core.config.environment import Environment

APP = "web"
MOST_NAMED = 5
"""Differences that are named; the others are counted."""
QUESTIONS = {
    "sqlite": (
        'SELECT m.name, c.name, c.type, NOT c."notnull" FROM sqlite_master m JOIN pragma_table_info(m.name) c '
        "WHERE m.type = 'table'",
        'SELECT m.name, l.name, l."unique", i.name FROM sqlite_master m JOIN pragma_index_list(m.name) l '
        "JOIN pragma_index_info(l.name) i WHERE m.type = 'table' AND l.origin <> 'pk' ORDER BY l.name, i.seqno",
        'SELECT m.name, f."from", f."table" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f '
        "WHERE m.type = 'table'",
    ),
    "postgresql": (
        "SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull FROM pg_class t "
        "JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped "
        "WHERE t.relkind IN ('r', 'p') AND pg_table_is_visible(t.oid)",
        "SELECT t.relname, i.indexrelid, i.indisunique, a.attname "
        "FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid "
        "CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (number, place) "
        "JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number WHERE NOT i.indisprimary "
        "AND NOT 0 = ANY (i.indkey) AND pg_table_is_visible(t.oid) ORDER BY i.indexrelid, k.place",
        "SELECT t.relname, a.attname, r.relname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid "
        "JOIN pg_class r ON r.oid = c.confrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1] "
        "WHERE c.contype = 'f' AND pg_table_is_visible(t.oid)",
    ),
}
"""By database: columns with type and whether they may be NULL, columns of keys in order, and foreign keys.

Django's own introspection of SQLite parses the text of each table, and takes half a second for all of them.
"""

type Facts = dict[str, set[str]]
"""By table, what can be said of it, such as "the column name varchar(80)"."""


def refuse_other_schema(environment: Environment) -> None:
    """Raise an InputError where the tables are not those that the applied migrations of this version make."""
    loader = MigrationLoader(connection)
    where, applied = environment.postgres or environment.database, list(loader.applied_migrations)
    if later := find_unknown(f"{app}.{name}" for app, name in applied):
        raise InputError(
            f"{where}: found tables of a later version of Toprung, with {later[0]}; expected those that Toprung "
            f"{__version__} knows. Nothing was changed. Install the version of Toprung that made them, or a later one."
        )
    known = [each for each in applied if each in loader.graph.nodes]
    state = apps if len(known) == len(loader.graph.nodes) else loader.project_state(known).apps
    differences = find_differences(_models_of(state))
    if differences:
        more = len(differences) - MOST_NAMED
        named = "; ".join(differences[:MOST_NAMED]) + (f"; and {more:,} differences more" if more > 0 else "")
        raise InputError(
            f"{where}: found tables of another edition of Toprung ({named}); expected those of Toprung {__version__}. "
            "Nothing was changed. Use the version that made them or, if you changed the tables by hand, undo that; "
            'docs/deploy/upgrade.md, "Tables of another edition", says how boards of that version get here.'
        )


def find_unknown(migrations: Iterable[str]) -> list[str]:
    """Those, such as "web.0007_more", that a later version has added to an app of this one."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations}
    ours = {each.partition(".")[0] for each in known}
    return [each for each in migrations if each.partition(".")[0] in ours and each not in known]


def is_digest_current() -> bool:
    """Whether the tables were last brought up to date by a version with the same models."""
    return SchemaDigest.objects.filter(pk=1, digest=_digest()).exists()


def keep_digest(**_: Any) -> None:
    """Django calls it once all migrations are done, or those up to one that was named."""
    if SchemaDigest._meta.db_table in connection.introspection.table_names():
        SchemaDigest.objects.update_or_create(pk=1, defaults={"digest": _digest(), "toprung": __version__})


def find_differences(models_there: Iterable[type[models.Model]]) -> list[str]:
    """How the tables differ from what these models expect, each in words."""
    there, found = _look_up(), []
    for table, expected in sorted(_expect(models_there).items()):
        if table not in there:
            found.append(f"the table {table} is missing")
            continue
        surplus = {each for each in there[table] - expected if not each.startswith("the index ")}
        found += [f"{table} lacks {each}" for each in sorted(expected - there[table])]
        found += [f"{table} has {each}" for each in sorted(surplus)]
    return found


def _models_of(state: Any) -> list[type[models.Model]]:
    found = (each for each in state.get_models(include_auto_created=True) if each._meta.app_label == APP)
    return [each for each in found if each._meta.managed and not each._meta.proxy]


def _digest() -> str:
    expected = _expect(_models_of(apps))
    lines = sorted(f"{table} {each}" for table, facts in expected.items() for each in facts)
    return f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


def _expect(models_there: Iterable[type[models.Model]]) -> Facts:
    facts: Facts = {}
    for model in models_there:
        facts[model._meta.db_table] = {*_expected_columns(model), *_expected_keys(model)}
    return facts


def _expected_columns(model: type[models.Model]) -> Iterator[str]:
    fields: Iterable[Any] = model._meta.concrete_fields
    for field in fields:
        yield _say_column(field.column, field.db_type(connection), may_be_null=field.null)


def _expected_keys(model: type[models.Model]) -> Iterator[str]:
    meta: Any = model._meta
    column_of = {field.name: field.column for field in meta.concrete_fields}
    for field in meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield _say_key("unique key", [field.column])
        elif field.db_index and not field.primary_key:
            yield _say_key("index", [field.column])
        if field.remote_field and getattr(field, "db_constraint", False):
            yield _say_foreign_key(field.column, field.related_model._meta.db_table)
    for names in (*(each.fields for each in meta.total_unique_constraints), *_partly_unique(model)):
        yield _say_key("unique key", [column_of[name] for name in names])
    for index in meta.indexes:
        if index.fields:
            yield _say_key("index", [column_of[name] for name, _ in index.fields_orders])


def _partly_unique(model: type[models.Model]) -> Iterator[Iterable[str]]:
    """Under a condition, or named together in the older way."""
    from django.db.models import UniqueConstraint

    yield from model._meta.unique_together
    for each in model._meta.constraints:
        if isinstance(each, UniqueConstraint) and each.condition is not None:
            yield each.fields


def _look_up() -> Facts:
    """What the database says of its tables."""
    facts: Facts = defaultdict(set)
    columns, keys, foreign_keys = map(_ask, QUESTIONS[connection.vendor])
    for table, column, kind, may_be_null in columns:
        facts[table].add(_say_column(column, kind, may_be_null=bool(may_be_null)))
    for (table, _, is_unique), rows in groupby(keys, key=lambda row: row[:3]):
        named = [row[3] for row in rows]
        facts[table] |= {_say_key("index", named)} | ({_say_key("unique key", named)} if is_unique else set())
    for table, column, other in foreign_keys:
        facts[table].add(_say_foreign_key(column, other))
    return dict(facts)


def _ask(question: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return list(cursor.fetchall())


def _say_column(column: str, kind: str, *, may_be_null: bool) -> str:
    kind = kind.lower().replace("character varying", "varchar").replace(", ", ",")
    return f"the column {column} {kind}{'' if may_be_null else ' not null'}"


def _say_key(kind: str, columns: Iterable[str]) -> str:
    return f"the {kind} ({', '.join(columns)})"


def _say_foreign_key(column: str, table: str) -> str:
    return f"the foreign key {column} to {table}"
