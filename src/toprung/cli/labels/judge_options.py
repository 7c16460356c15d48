"""The options of ``toprung labels judge``: who judges, what is asked, and how far to go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.cli.options.numbers import NumberRange
from toprung.data.judgments import AssessorKind
from toprung.labels.judges.endpoint import KEY_VARIABLE

WHO = (
    click.option("--terminal", is_flag=True, help="A person at this terminal."),
    click.option("--endpoint", metavar="URL", help="A language model that speaks OpenAI's chat completions."),
    click.option("--model", metavar="NAME", help="Its name, for --endpoint."),
    click.option("--command", metavar="CMD", help="A program that reads requests and writes answers, JSON a line."),
    click.option("--answers", metavar="FILE", help="A file of judgments, in any format that `labels import` reads."),
    click.option(
        "--assessor", metavar="NAME", help="Under which name; by default the user's, the model's, the program's."
    ),
    click.option(
        "--kind",
        type=click.Choice([each.value for each in AssessorKind]),
        help="Of --command (llm unless said) and --answers (human unless said).",
    ),
)
WHAT = (
    click.option("--queries", metavar="FILE", help="Texts of queries; by default those the pools were made with."),
    click.option("--documents", metavar="FILE", help="Texts of documents; by default those the pools were made with."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N pairs now."),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Of the order and the sides, where there are no tasks.",
    ),
)
COSTS = (
    click.option("--estimate", is_flag=True, help="Say how many pairs, tokens and how much money; ask nothing."),
    click.option("--budget", type=NumberRange(min=0), metavar="MONEY", help="Stop before more is spent."),
    click.option("--price-in", type=NumberRange(min=0), default=0.0, help="Money for a million tokens read."),
    click.option("--price-out", type=NumberRange(min=0), default=0.0, help="Money for a million tokens written."),
)
CALLS = (
    click.option(
        "--key-variable",
        metavar="NAME",
        default=KEY_VARIABLE,
        show_default=True,
        help="The environment variable that holds the key.",
    ),
    click.option(
        "--timeout",
        type=NumberRange(min=0, min_open=True),
        default=60.0,
        show_default=True,
        help="Seconds to wait for an answer.",
    ),
    click.option(
        "--tries", type=click.IntRange(min=1), default=6, show_default=True, help="How often a request is made at most."
    ),
    click.option(
        "--ask-again",
        type=click.IntRange(min=0, max=10),
        default=0,
        show_default=True,
        metavar="N",
        help="Ask up to N times more where an answer was invalid, now or before.",
    ),
    click.option(
        "--at-once", type=click.IntRange(min=1), default=1, show_default=True, help="How many pairs at the same time."
    ),
    click.option("--per-minute", type=NumberRange(min=0, min_open=True), help="At most so many requests a minute."),
    click.option(
        "--fields",
        metavar="JSON",
        default="{}",
        help='More fields of every request, such as \'{"max_tokens": null, "max_completion_tokens": 2000}\'.',
    ),
    click.option(
        "--family",
        metavar="NAME",
        help="The model's family: runs with it in their name are warned of. By default its first letters.",
    ),
)


def judge_options[F: Callable[..., Any]](command: F) -> F:
    """All of them, in this order."""
    for decorate in reversed((*WHO, *WHAT, *COSTS, *CALLS)):
        command = decorate(command)
    return command
