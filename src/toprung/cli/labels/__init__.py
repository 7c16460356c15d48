"""``toprung labels``: are the labels still good enough, and what would better ones say?"""

from __future__ import annotations

import click

from toprung.cli.listed import Listed, ListedCommands

SUBCOMMANDS = (
    Listed("pool", __name__, "Pool the first answer of every run with each label."),
    Listed("cost", __name__, "Say how many tasks the pairs fill, and what they cost."),
    Listed("audit", __name__, "Compare one run's first answers with the labels, one pair a query."),
    Listed("tasks", __name__, "Put the pairs that ask for a vote into tasks."),
    Listed("judge", __name__, "Judge pairs: which of two answers is better?"),
    Listed("import", __name__, "Add the judgments of a file to a judging effort."),
    Listed("outcomes", __name__, "Say which pairs are decided, even, or without a vote."),
    Listed("tournament", __name__, "Make the best answers of each query its labels."),
    Listed("winratio", __name__, "Compare runs by whose first answer people prefer."),
    Listed(
        "rescore",
        __name__,
        "Score runs under the original and under new labels: who moves, and who does better than perfect?",
    ),
    Listed(
        "leave-one-out",
        __name__,
        "Score runs again as if the answers that only one of them found had never been judged.",
    ),
    Listed("challenge", __name__, "Let a new run's first answers challenge the best ones known."),
    Listed("diagnose", __name__, "Look for signs of careless or biased judging."),
)


@click.command(cls=ListedCommands, listed=lambda: SUBCOMMANDS)
def labels() -> None:
    """Pool answers, compare them two at a time, and derive new labels.

    Runs give pools, pools give pairs, pairs are judged, and a tournament of each query makes its best answer the label.
    What is known is kept in one folder (--state): plain files that only grow.
    """
