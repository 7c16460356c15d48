"""``toprung labels``: are the labels still good enough, and what would better ones say?"""

from __future__ import annotations

import click

from toprung.cli.listed import Listed, ListedCommands, Lists, registered_commands

STEPS = (
    Listed("cost", __name__, "Say how many tasks the pairs fill, and what they cost."),
    Listed("tasks", __name__, "Have the pairs that ask for a vote dealt in tasks."),
    Listed("judge", __name__, "Judge pairs: which of two answers is better?"),
    Listed("import", __name__, "Add the judgments of a file to a judging effort."),
    Listed("outcomes", __name__, "Say which pairs are decided, even, or without a vote."),
    Listed("rules", __name__, "Say which rule's labels win votes that it has not seen."),
    Listed("merge", __name__, "Put new best answers in the place of old ones: the whole next version of the labels."),
    Listed(
        "leave-one-out",
        __name__,
        "Score runs again as if the answers that only one of them found had never been judged.",
    ),
    Listed(
        "estimate",
        __name__,
        "Estimate whose first answers people would prefer, from a model's votes on all pairs and people's on some.",
    ),
    Listed("challenge", __name__, "Let a new run's first answers challenge the best ones known."),
    Listed("diagnose", __name__, "Look for signs of careless or biased judging."),
)
"""What is no registered analysis."""

ORDER = (
    *("pool", "cost", "audit", "tasks", "judge", "import", "outcomes", "rules", "tournament", "merge"),
    *("winratio", "estimate", "rescore", "leave-one-out", "challenge", "diagnose"),
)
"""As judging goes; what is not named here comes last."""


def all_subcommands() -> list[Lists]:
    listed: list[Lists] = [*registered_commands("labels"), *STEPS]
    found = {each.name: each for each in listed}
    return [*(found.pop(name) for name in ORDER), *found.values()]


@click.command(cls=ListedCommands, listed=all_subcommands)
def labels() -> None:
    """Pool answers, compare them two at a time, and derive new labels.

    Runs give pools, pools give pairs, pairs are judged, and by a named rule the best answer of each query is the label.
    What is known is kept in one folder (--state): plain files that only grow.
    """
