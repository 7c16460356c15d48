"""By what Lin et al. 2021 judge ranking: options of the commands that give their verdict."""

from __future__ import annotations

import click

from toprung.boards.lin2021.breakdown import FACET_TESTS, FACETS

facet_option = click.option(
    "--facet",
    type=click.Choice(FACETS),
    default="esl",
    show_default=True,
    help="What Lin et al. 2021 judge ranking by, where both answer: search length or RR.",
)
facet_test_option = click.option(
    "--facet-test",
    type=click.Choice(FACET_TESTS),
    default="t",
    show_default=True,
    help="And by which test: paired t or signed ranks.",
)
