"""What would a model cost?"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.labels.model_server import ModelServer, says

from toprung.labels.effort.effort import Effort
from toprung.labels.judges.batch import judge_all
from toprung.labels.judges.endpoint import EndpointJudge, Prices
from toprung.labels.judges.foreseen import ForeseenCost, foresee_cost
from toprung.labels.judges.prompt import INSTRUCTIONS, to_messages
from toprung.labels.tasks.questions import Question, Texts

QUESTIONS = [Question(query_id=f"q{i}", left="short", right="long") for i in range(5)]
TEXTS = Texts(queries={f"q{i}": "why?" for i in range(4)}, documents={"short": "so", "long": "weil über Nacht"})
PRICES = Prices(per_million_in=2.0, per_million_out=10.0)
N_BYTES = len(INSTRUCTIONS.encode()) + len(to_messages("why?", "so", "weil über Nacht")[1]["content"].encode())


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "state")


def foresee(effort: Effort, judge: EndpointJudge, **options: int) -> ForeseenCost:
    most = judge.most_tokens_out
    return foresee_cost(effort, judge, QUESTIONS, TEXTS, prices=PRICES, most_tokens_out=most, **options)


def test_pairs_orders_tokens_and_money_are_counted_and_nothing_is_asked(effort: Effort, server: ModelServer) -> None:
    """Four pairs with texts, twice each; one of 512 tokens is the longest answer."""
    found = foresee(effort, EndpointJudge(server.url, "m"))
    assert (found.n_pairs, found.n_requests, found.n_without_text) == (4, 8, 1)
    assert found.tokens_in == round(8 * N_BYTES / 4)
    assert (found.least_out, found.most_out) == (8, 8 * 512)
    assert found.least_cost == pytest.approx((found.tokens_in * 2 + 8 * 10) / 1e6)
    assert found.most_cost == pytest.approx((found.tokens_in * 2 + 8 * 512 * 10) / 1e6)
    assert server.asked == []
    assert [path.name for path in effort.folder.iterdir() if path.suffix == ".jsonl"] == []


def test_what_was_answered_is_not_counted_and_tells_how_long_texts_are(effort: Effort, server: ModelServer) -> None:
    """The server counts 100 tokens read and 2 written for each answer."""
    judge = EndpointJudge(server.url, "m")
    judge_all(effort, judge, QUESTIONS, TEXTS, limit=1)
    found = foresee(effort, judge)
    assert (found.n_pairs, found.n_requests, found.n_measured) == (3, 6, 2)
    assert (found.tokens_in, found.least_out, found.most_out) == (600, 12, 12)
    assert "About 600 tokens to read (as in 2 answers of this judge), and about 12 to write." in list(found.say())


def test_what_one_session_says_is_what_the_next_one_takes(effort: Effort, server: ModelServer) -> None:
    judge = EndpointJudge(server.url, "m", prices=PRICES)
    judge_all(effort, judge, QUESTIONS, TEXTS, limit=1)
    foreseen = foresee(effort, judge, limit=2)
    session = judge_all(effort, judge, QUESTIONS, TEXTS, limit=2)
    assert (foreseen.n_requests, foreseen.tokens_in) == (session.n_answers, session.tokens_in)
    assert foreseen.least_cost == pytest.approx(session.cost)


def test_invalid_answers_count_if_they_are_asked_again(effort: Effort, server: ModelServer) -> None:
    judge = EndpointJudge(server.url, "m")
    server.script = [says("hm")]
    judge_all(effort, judge, QUESTIONS[:4], TEXTS)
    for ask_again in (0, 1):
        found = foresee_cost(effort, judge, QUESTIONS[:4], TEXTS, prices=PRICES, ask_again=ask_again)
        assert found.n_requests == ask_again


def test_a_budget_is_held_against_the_dearest(effort: Effort, server: ModelServer) -> None:
    found = foresee(effort, EndpointJudge(server.url, "m"))
    assert found.most_cost is not None
    last = list(found.say(budget=found.most_cost / 2))[-1]
    assert "is enough for about 2 of them at least" in last


def test_without_a_bound_the_money_is_a_least(effort: Effort, server: ModelServer) -> None:
    judge = EndpointJudge(server.url, "m", fields={"max_tokens": None})
    assert "or more in money." in list(foresee(effort, judge).say())[-1]
    assert EndpointJudge(server.url, "m", fields={"max_tokens": None, "max_completion_tokens": 9}).most_tokens_out == 9
