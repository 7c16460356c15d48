"""``toprung labels judge``: a person, a language model, a program or a file compares the pairs."""

from __future__ import annotations

import getpass
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from toprung.cli.labels.judge_options import judge_options
from toprung.cli.labels.judge_words import say_session
from toprung.cli.labels.options import state_option
from toprung.cli.options.keyboard import at_terminal
from toprung.cli.options.progress import progress
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.runs.files import run_name
from toprung.data.formats.tables.text_files import read_texts
from toprung.data.judgments import AssessorKind
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.batch import judge_all
from toprung.labels.judges.command import CommandJudge
from toprung.labels.judges.endpoint import EndpointJudge, Prices, read_key
from toprung.labels.judges.family import family_of
from toprung.labels.judges.foreseen import foresee_cost
from toprung.labels.judges.noted import family_warnings, note_judge
from toprung.labels.judges.recorded import RecordedJudge
from toprung.labels.judges.session import Session
from toprung.labels.judges.sitting import sit_at_pairs, sit_at_tasks
from toprung.labels.judges.terminal import TerminalJudge
from toprung.labels.tasks.make import deal_all
from toprung.labels.tasks.protocol import Judge, storable
from toprung.labels.tasks.questions import Question, Texts, pairs_of, questions_for
from toprung.labels.tasks.sitting import Sitting
from toprung.net.pace import Backoff

INTERRUPTED = 130
USER_ERROR = 2
WAYS = ("terminal", "endpoint", "command", "answers")


@click.command()
@state_option
@judge_options
def judge(*, state: str, queries: str | None, documents: str | None, **options: Any) -> None:
    """Judge pairs: which of two answers is better?

    Give one of --terminal, --endpoint, --command and --answers. Where there are tasks, a person at the terminal works
    through them one by one, and any other judge through their slots; else the pairs of the pools that are not decided
    are asked. A language model is asked every pair twice, with the sides swapped: if its answers disagree, it prefers
    neither. Its judgments are kept apart and count for labels only if asked for (--assessor NAME or --kind llm).
    --estimate says what that would take, and asks nothing.

    Every answer is written at once. Interrupt it when you like: the same command goes on where it stopped.
    """
    ways = [way for way in WAYS if options[way]]
    if len(ways) != 1:
        raise InputError(f"Found {len(ways)} ways to judge; expected one of --{', --'.join(WAYS)}.")
    _check_texts(options)
    effort = Effort.open(state)
    if options["estimate"]:
        _foresee(effort, ways[0], queries, documents, options)
        return
    try:
        if options["terminal"]:
            session = _sit(effort, at_terminal(options["assessor"] or getpass.getuser()), queries, documents, options)
        else:
            with _opened(ways[0], options) as chosen:
                session = _run(effort, chosen, queries, documents, options)
    except KeyboardInterrupt:
        click.echo("Interrupted; every answer is kept, and the same command goes on from here.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    for line in say_session(session, options["budget"]):
        click.echo(line)
    if session.last_failure and not session.n_answers:
        raise click.exceptions.Exit(USER_ERROR)


def _check_texts(options: dict[str, Any]) -> None:
    """Refuse names that cannot be written down: bytes of a shell that are not UTF-8."""
    for name in ("assessor", "model", "family", "command", "endpoint"):
        if options[name] is not None and storable(options[name]) != options[name]:
            raise InputError(f"--{name}: found {options[name]!r}; expected text in UTF-8.")


@contextmanager
def _opened(way: str, options: dict[str, Any]) -> Iterator[Judge]:
    if way == "endpoint":
        yield _endpoint(options)
    elif way == "command":
        kind = AssessorKind(options["kind"] or AssessorKind.LLM)
        command = CommandJudge(
            options["command"], name=options["assessor"], kind=kind, timeout=options["timeout"], starts=options["tries"]
        )
        with command:
            yield command
    else:
        kind = AssessorKind(options["kind"] or AssessorKind.HUMAN)
        found = read_judgments(options["answers"]).judgments
        yield RecordedJudge(found, name=options["assessor"] or storable(run_name(options["answers"])), kind=kind)


def _endpoint(options: dict[str, Any]) -> EndpointJudge:
    if options["kind"] not in (None, AssessorKind.LLM):
        raise InputError(f"Found --kind {options['kind']} with --endpoint; expected a language model there.")
    if not options["model"]:
        raise InputError("Found --endpoint without --model; expected the name of a model.")
    prices = _prices(options)
    if options["budget"] is not None and not prices.are_known:
        raise InputError("Found --budget without prices; expected --price-in and --price-out, to know what is spent.")
    return EndpointJudge(
        options["endpoint"],
        options["model"],
        name=options["assessor"],
        key=read_key(options["key_variable"]),
        prices=prices,
        timeout=options["timeout"],
        per_minute=options["per_minute"],
        backoff=Backoff(tries=options["tries"]),
        fields=_to_fields(options["fields"]),
    )


def _prices(options: dict[str, Any]) -> Prices:
    return Prices(per_million_in=options["price_in"], per_million_out=options["price_out"])


def _to_fields(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"--fields: found {text[:80]!r}; expected a JSON object.")
    return found


def _foresee(effort: Effort, way: str, queries: str | None, documents: str | None, options: dict[str, Any]) -> None:
    """Say what a session would take; nothing is asked, and nothing is noted."""
    if way not in ("endpoint", "command"):
        raise InputError(f"Found --estimate with --{way}; expected --endpoint or --command, whose answers cost money.")
    with _opened(way, options) as chosen:
        asked = questions_for(effort, assessor=chosen.name, kind=chosen.kind, seed=options["seed"])
        found = foresee_cost(
            effort,
            chosen,
            asked,
            _texts(effort, asked, queries, documents),
            prices=_prices(options),
            most_tokens_out=chosen.most_tokens_out if isinstance(chosen, EndpointJudge) else None,
            limit=options["limit"],
            ask_again=options["ask_again"],
        )
    for line in found.say(options["budget"]):
        click.echo(line)


def _run(effort: Effort, chosen: Judge, queries: str | None, documents: str | None, options: dict[str, Any]) -> Session:
    """Any judge but a person at the terminal."""
    family = options["family"] or family_of(options["model"] or "")
    if chosen.kind is AssessorKind.LLM:
        note_judge(effort, chosen.name, model=options["model"], family=family)
        for warning in family_warnings(effort):
            click.echo(warning, err=True)
    else:
        deal_all(effort)
    asked = questions_for(effort, assessor=chosen.name, kind=chosen.kind, seed=options["seed"])
    texts = _texts(effort, asked, queries, documents, are_needed=not options["answers"])
    with progress(len(asked), "Judging") as on_progress:
        return judge_all(
            effort,
            chosen,
            asked,
            texts,
            limit=options["limit"],
            budget=options["budget"],
            at_once=options["at_once"] if options["endpoint"] else 1,
            ask_again=options["ask_again"],
            on_progress=on_progress,
        )


def _sit(
    effort: Effort, person: TerminalJudge, queries: str | None, documents: str | None, options: dict[str, Any]
) -> Session:
    if options["kind"] not in (None, AssessorKind.HUMAN):
        raise InputError(f"Found --kind {options['kind']} with --terminal; expected a person there.")
    sitting = Sitting(effort)
    if sitting.has_tasks:
        slots = (slot.pair for task in sitting.tasks.values() for slot in task.slots)
        pairs = dict.fromkeys((*slots, *pairs_of(effort), *(gold.pair for gold in sitting.golds)))
        shown = [Question(query_id=pair.query_id, left=pair.a, right=pair.b) for pair in pairs]
        texts = _texts(effort, shown, queries, documents)
        return sit_at_tasks(sitting, person, texts, limit=options["limit"])
    asked = questions_for(effort, assessor=person.name, kind=person.kind, seed=options["seed"])
    return sit_at_pairs(effort, person, asked, _texts(effort, asked, queries, documents), limit=options["limit"])


def _texts(
    effort: Effort,
    asked: Sequence[Question],
    queries: str | None,
    documents: str | None,
    *,
    are_needed: bool = True,
) -> Texts:
    """The texts of what is asked, from the files given or those the pools were made with."""
    query_ids = {each.query_id for each in asked}
    doc_ids = {doc_id for each in asked for doc_id in (each.left, each.right)}
    if not are_needed:  # answers in a file are found by id
        return Texts(queries=dict.fromkeys(query_ids, ""), documents=dict.fromkeys(doc_ids, ""))
    places = {"queries": queries, "documents": documents}
    found = {name: place or effort.manifest.get(name) for name, place in places.items()}
    missing = [name for name, place in found.items() if not place]
    if missing:
        raise InputError(f"Found no texts of {missing[0]}; expected --{missing[0]} FILE.")
    return Texts(
        queries=read_texts(str(found["queries"]), wanted=query_ids, kind="queries"),
        documents=read_texts(str(found["documents"]), wanted=doc_ids),
    )
