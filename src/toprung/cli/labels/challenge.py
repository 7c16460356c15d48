"""``toprung labels challenge``: has a new run found better answers, and where may it stand once they are judged?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from toprung.analyses.challenge_interval.find import challenge_interval
from toprung.cli.labels.options import documents_option, measure_option, read_top_of_runs, state_option
from toprung.cli.options.common import output_format_option, output_option, seed_option, show
from toprung.cli.options.output_file import OutputOption
from toprung.cli.options.progress import progress
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import names_for
from toprung.data.formats.tables.text_files import read_texts
from toprung.data.run import Run
from toprung.labels.best.challenge_queue import count_open, queue_challenges
from toprung.labels.best.challenges import Challenge, find_challenges, join_challengers, join_first_answers
from toprung.labels.best.preference_qrels import keep_version, to_preference_qrels
from toprung.labels.best.replacement import RULES
from toprung.labels.best.upkeep import (
    DEFAULT_RULE,
    pools_without_challengers,
    read_challenges,
    settle_challenges,
)
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool, top_documents
from toprung.labels.pools.store import add_pools, read_pools
from toprung.labels.votes.outcomes import merge_same_texts, resolve_pairs
from toprung.report.render import OutputFormat


@click.command()
@click.argument("qrels")
@click.argument("new_run")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@state_option
@documents_option
@measure_option
@click.option(
    "--rule",
    type=click.Choice(list(RULES)),
    default=DEFAULT_RULE,
    show_default=True,
    help="When a challenger has won over a best answer.",
)
@click.option("--team", default="", metavar="NAME", help="Whose run NEW_RUN is.  [default: a team of its own]")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="what it was before, or any number",
    help="How many open challenges a team may have; it is stored.",
)
@click.option(
    "--labels",
    "labels_path",
    cls=OutputOption,
    metavar="FILE",
    help="Write the labels with every decided challenge, as TREC qrels; their manifest lies beside them.",
)
@seed_option("the bootstrap intervals")
@output_format_option
@output_option
def challenge(
    *,
    qrels: str,
    new_run: str,
    runs: tuple[str, ...],
    state: str,
    documents: str | None,
    measure: str,
    rule: str,
    team: str,
    most: int | None,
    labels_path: Path | None,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Let a new run's first answers challenge the best ones known.

    QRELS are the labels in force: the highest grade of a query is the best known. A first answer of NEW_RUN that is in
    no pool is queued against each best answer of its query, for `toprung labels tasks`. Equal and nearly equal texts
    are one: of a pooled answer it is no news, of an earlier challenger it wins or loses with that. Texts are those the
    pools were made with, or --documents. Until that is judged, the scores with all challenges lost
    and with all won are shown, for NEW_RUN and for the RUNs beside it. Run it again after judging: what is decided by
    then is counted, and --labels writes the new labels.
    """
    effort = Effort.open(state)
    judgments, labels = effort.read_judgments(), read_qrels(qrels)
    paths = [new_run, *runs]
    name, top = next(iter(names_for(paths))), read_top_of_runs([new_run]).popitem()[1]
    known = read_challenges(effort)
    kept = pools_without_challengers(effort, judgments)
    texts = _read_texts(effort, kept, known, top, documents)
    joined = _join_texts(effort, kept, top, texts, name=name)
    found = find_challenges(
        join_challengers(joined, known), labels, top, name=name, team=team, known=known, texts=texts
    )
    pools = join_challengers(joined, (*known, *found.challenges))
    outcomes = merge_same_texts(resolve_pairs(judgments), pools)
    upkeep = settle_challenges(labels, found.challenges, outcomes, rule=RULES[rule], pools=pools)
    n_open = count_open(labels, known, outcomes, rule=RULES[rule], pools=pools)
    n_held_back = queue_challenges(effort, upkeep.open, rule=rule, most_per_team=most, n_open=n_open)
    with progress(2 * len(paths), "Scoring") as on_progress:
        shown = challenge_interval(
            labels,
            found,
            upkeep,
            paths,
            measure,
            seed=seed,
            judgments_digest=judgments.digest,
            n_held_back=n_held_back,
            on_progress=on_progress,
        )
    if labels_path is not None:
        version = to_preference_qrels(
            upkeep.results, parent=labels, judgments=judgments, policy=rule, pools=pools, rule="as given"
        )
        keep_version(effort, version, labels_path)
    show(shown, output_format, output)


def _read_texts(
    effort: Effort, pools: list[Pool], known: list[Challenge], top: Run, documents: str | None
) -> Mapping[str, str]:
    """Of what is pooled, of the challengers and of the new run's first answers; none where no texts are known."""
    place = effort.manifest.get("documents") if documents is None else documents
    if place is None:
        return {}
    pooled = {doc_id for pool in pools for doc_id in (*pool.items, *pool.same_text)}
    firsts = {docs[0] for docs in top_documents(top).values()}
    return read_texts(place, wanted=pooled | firsts | {each.challenger for each in known})


def _join_texts(effort: Effort, pools: list[Pool], top: Run, texts: Mapping[str, str], *, name: str) -> list[Pool]:
    """The pools with the first answers whose text they hold; kept, so that every later command knows of these."""
    if not texts:
        return pools
    joined = join_first_answers(pools, top, texts, name=name)
    if read_pools(effort):
        add_pools(effort, joined)
    return joined
