"""Are tables and static files those of this version? What is behind is named, and brought to it by one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from toprung.errors import InputError
from toprung.web.core.config.databases import has_tables, make_empty_database, unusable
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.folders import make_folders
from toprung.web.ops.backup.cut_short import refuse_files_alone
from toprung.words.wording import list_names, say_count

LOCK = 7_062_141_109
"""A number by which PostgreSQL knows who else brings this database up to date."""
CACHE_TABLE = "toprung_cache"


def find_pending_tables(environment: Environment) -> list[str]:
    """What of the database is not up to date, in words; nothing is changed. Django must be set up.

    An InputError says that the tables are of another edition or of a later version, which no migration brings here.
    """
    from django.db import DatabaseError, connection

    if not has_tables(environment):
        refuse_files_alone(environment)
        return ["the tables are not there"]
    from toprung.web.ops.schema import is_digest_current, refuse_other_schema

    try:
        refuse_other_schema(environment)
        pending = [f"the tables lack {name}" for name in _migrations_to_come()]
        if not pending and not is_digest_current():
            pending.append("a version with other tables used them last")
        if CACHE_TABLE not in connection.introspection.table_names():
            pending.append("the table of the cache is not there")
    except DatabaseError as error:
        raise unusable(environment, error) from None
    return pending


def find_pending_files() -> list[str]:
    """The same of the static files, which each machine with a web server has for itself."""
    from django.conf import settings

    if (settings.STATIC_ROOT / "staticfiles.json").exists() and not _collect(is_trial=True):
        return []
    return ["the static files are not those of this version"]


def refuse_behind(pending: list[str]) -> None:
    """Raise an InputError where something is behind: only who is asked to brings it up to date."""
    if pending:
        raise InputError(
            f"Found a board that is not up to date ({list_names(pending)}); expected one that is. Run: toprung migrate"
        )


def bring_up_to_date(environment: Environment) -> list[str]:
    """Make and change what is behind, and say what it was; harmless when repeated. Django must be set up."""
    from django.core.management import call_command
    from django.db import DatabaseError, connection

    from toprung.web.ops.schema import is_digest_current, refuse_other_schema

    make_folders(environment)
    done: list[str] = []
    try:
        with _one_at_a_time(environment):
            is_new = not has_tables(environment)
            if is_new:
                refuse_files_alone(environment)
                make_empty_database(environment)
            else:
                refuse_other_schema(environment)
            to_come = _migrations_to_come()
            done += ["made the tables"] if is_new else [f"brought the tables to {name}" for name in to_come]
            if not is_new and not to_come and not is_digest_current():
                done.append("noted that the tables are those of this version")
            with _all_or_nothing(environment, [] if is_new else to_come):
                call_command("migrate", verbosity=0)
                if CACHE_TABLE not in connection.introspection.table_names():
                    call_command("createcachetable", verbosity=0)
                    done.append("made the table of the cache")
            n_files = _collect()
    except DatabaseError as error:
        raise unusable(environment, error) from None
    if n_files:
        done.append(f"wrote {say_count(n_files, 'static file')}")
    return done


@contextmanager
def _all_or_nothing(environment: Environment, upgrades: list[str]) -> Iterator[None]:
    """Where one migration fails, the tables are as they were before the first, and the older version can go on.

    SQLite cannot change tables while it checks foreign keys, and cannot stop checking them within a transaction.
    """
    from django.db import connection, transaction

    try:
        with connection.constraint_checks_disabled(), transaction.atomic():
            yield
    except Exception as error:
        if not upgrades:
            raise
        why = " ".join(str(error).split())
        raise InputError(
            f"{environment.postgres or environment.database}: found that the tables could not be brought to "
            f"{upgrades[-1]} ({why}); expected every step to succeed. Nothing was changed: the version that made them "
            "can go on with them."
        ) from error


def _migrations_to_come() -> list[str]:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _collect(*, is_trial: bool = False) -> int:
    """Put the static files where the server finds them; returns how many were not there as they are now."""
    from django.contrib.staticfiles.management.commands.collectstatic import Command

    command = Command()
    command.set_options(
        interactive=False,
        verbosity=0,
        link=False,
        clear=False,
        dry_run=is_trial,
        ignore_patterns=[],
        use_default_ignore_patterns=True,
        post_process=True,
    )
    return len(command.collect()["modified"])


@contextmanager
def _one_at_a_time(environment: Environment) -> Iterator[None]:
    """Others wait: on this machine by a file of the data folder, elsewhere by a lock of the database's server."""
    import fcntl

    from django.db import connection

    with (environment.data_folder / "migrating").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if environment.postgres is None:
            yield
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
