"""``toprung labels merge``: new best answers in the place of old ones, as the whole next version of the labels."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.qrels_writing import write_qrels
from toprung.data.qrels_difference import say_losses
from toprung.errors import InputError
from toprung.labels.best.challenges import best_answers
from toprung.labels.best.next_version import changed_queries, next_version
from toprung.words.wording import say_queries


@click.command()
@click.argument("old", type=click.Path(exists=True, dir_okay=False))
@click.argument("new", type=click.Path(exists=True, dir_okay=False))
@click.option("--output", "-o", required=True, cls=OutputOption, metavar="FILE", help="Where all labels go.")
@click.option("--keep", multiple=True, metavar="QUERY", help="This query keeps its old label; give it as often.")
def merge(*, old: str, new: str, output: Path, keep: tuple[str, ...]) -> None:
    """Put new best answers in the place of old ones: the whole next version of the labels.

    OLD are labels, NEW the best answers as `labels tournament` writes them. What is written is what a board would
    publish: queries that NEW does not decide keep their labels. A best answer gets the highest grade of its query;
    those that had it go one below, or lose the label at 1. Graded labels, which have several grades or documents judged
    not relevant, are refused where a judged document would be left out or a grade lowered.
    """
    before, found = read_qrels(old), best_answers(read_qrels(new))
    strange = sorted(set(keep) - set(before.query_ids))
    if strange:
        raise InputError(f"--keep: found '{strange[0][:60]}'; expected queries of {old}.")
    best = {query: docs for query, docs in found.items() if query not in keep}
    made = next_version(before, best)
    if losses := say_losses(before, made):
        raise InputError(
            f"{old}: found {losses}; expected every judged document to keep its grade or get a higher one. Nothing was "
            f"written. Keep these labels; `toprung labels rescore {old} {new} RUN...` shows what NEW changes."
        )
    write_qrels(made, output)
    n_changed = len(changed_queries(before, best))
    click.echo(f"{output}: {say_queries(len(made.query_ids))}, {n_changed:,} with another best answer.")
    click.echo(f"Digest {made.digest}.")
