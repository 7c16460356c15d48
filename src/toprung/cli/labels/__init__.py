"""``toprung labels``: are the labels still good enough, and what would better ones say?

A subcommand ``leave-one-out`` is the function ``leave_one_out`` in the module of that name here; ``import``, which
Python keeps for itself, is ``import_``.
"""

from __future__ import annotations

import importlib

import click

SUBCOMMANDS = (
    "pool",
    "cost",
    "audit",
    "tasks",
    "judge",
    "import",
    "outcomes",
    "tournament",
    "winratio",
    "rescore",
    "leave-one-out",
    "challenge",
    "diagnose",
)


class LazySubcommands(click.Group):
    """Imports a subcommand's module only when that subcommand is run or described."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click calls it so
        if name not in SUBCOMMANDS:
            return None
        module_name = "import_" if name == "import" else name.replace("-", "_")
        module = importlib.import_module(f"toprung.cli.labels.{module_name}")
        command: click.Command = getattr(module, module_name)
        return command


@click.command(cls=LazySubcommands)
def labels() -> None:
    """Pool answers, compare them two at a time, and derive new labels.

    Runs give pools, pools give pairs, pairs are judged, and a tournament of each query makes its best answer the label.
    What is known is kept in one folder (--state): plain files that only grow.
    """
