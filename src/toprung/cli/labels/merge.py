"""``toprung labels merge``: new best answers in the place of old ones, as the whole next version of the labels."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.qrels_writing import write_qrels
from toprung.data.qrels_difference import SHOWN_QUERIES, Losses, find_losses
from toprung.errors import InputError
from toprung.labels.best.challenges import best_answers
from toprung.labels.best.next_version import changed_queries, next_version
from toprung.words.visible import in_one_line
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
    those that had it go one below, or lose the label at 1. Labels that are more than best answers, as they have several
    grades or several documents for most queries, are refused where a judged document would be left out or a grade
    lowered; --keep names the queries that are to stay as they are.
    """
    before, found = read_qrels(old), best_answers(read_qrels(new))
    strange = sorted(set(keep) - set(before.query_ids))
    if strange:
        raise InputError(f"--keep: found '{strange[0][:60]}'; expected queries of {old}.")
    best = {query: docs for query, docs in found.items() if query not in keep}
    made = next_version(before, best)
    if losses := find_losses(before, made):
        raise InputError(
            f"{new} would {losses.say(f' of {old}')}; expected every judged document to keep its grade or get a higher "
            f"one. Nothing was written. {_say_way_out(losses)}"
        )
    write_qrels(made, output)
    n_changed = len(changed_queries(before, best))
    click.echo(f"{output}: {say_queries(len(made.query_ids))}, {n_changed:,} with another best answer.")
    click.echo(f"Digest {made.digest}.")


def _say_way_out(losses: Losses) -> str:
    shown = losses.queries[:SHOWN_QUERIES]
    options = " ".join(f"--keep {shlex.quote(in_one_line(query))}" for query in shown)
    if len(losses.queries) == 1:
        return f"`{options}` keeps the old labels of that query."
    which = "these queries" if len(shown) == len(losses.queries) else f"{len(shown)} of these queries; name them all"
    return f"`{options}` keeps the old labels of {which}."
