"""How far are the workers with a version of the labels? Followed until it is current, or cannot become so."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from toprung.cli.options.progress import progress
from toprung.errors import InputError

if TYPE_CHECKING:
    from toprung.web.core.models.labels import LabelSet

SECONDS_BETWEEN_LOOKS = 1.0


def follow_version(labels: LabelSet) -> None:
    """Say when it is current; an InputError says why it does not become so."""
    from toprung.web.services.labels.access_log import describe
    from toprung.web.services.labels.prepare import VersionStage, preparation_of

    found = preparation_of(labels)
    told = 0
    with progress(found.n_runs, "scoring") as tell:
        while not found.is_over:
            if found.failure:
                raise InputError(f"{found.failure} The board goes by the labels before; see its page for organisers.")
            for _ in range(found.n_scored - told):
                tell(f"labels v{labels.version}")
            told = max(told, found.n_scored)
            time.sleep(SECONDS_BETWEEN_LOOKS)
            labels.refresh_from_db()
            found = preparation_of(labels)
    if found.stage is VersionStage.GIVEN_UP:
        raise InputError(f"Found {describe(labels)} given up by an organiser; the board goes by the labels before.")
    click.echo(f"Labels {describe(labels)} are current, and the pages show them.")
