"""What does a language model prefer?"""

from __future__ import annotations

import json
import socket
import threading
from typing import Any

import pytest
from tests.labels.model_server import ModelServer, Served, fails, says

from toprung.data.judgments import AssessorKind, Choice
from toprung.errors import InputError
from toprung.labels.judges.endpoint import EndpointJudge, Prices, read_key
from toprung.labels.tasks.protocol import Answer, JudgeStoppedError, NoAnswerError, Text
from toprung.net.pace import Backoff

QUERY, SHORT, LONG = Text("q-id", "why?"), Text("short-id", "so"), Text("long-id", "because of that")
QUICK = Backoff(tries=3, first_seconds=0.01, most_seconds=0.02)
KEY = "sk-very-secret"


def ask(server: ModelServer, *, left: Text = SHORT, right: Text = LONG, **options: Any) -> Answer:
    judge = EndpointJudge(server.url, "llama-3", **{"backoff": QUICK, "timeout": 2.0, **options})
    return judge.compare(QUERY, left, right)


def test_the_answer_is_a_side(server: ModelServer) -> None:
    assert ask(server).choice is Choice.LEFT
    assert ask(server, left=LONG, right=SHORT).choice is Choice.RIGHT
    assert ask(server, left=SHORT, right=Text("other", "no")).choice is Choice.TIE


def test_the_request_is_a_chat_completion_that_shows_texts_and_no_ids(server: ModelServer) -> None:
    ask(server)
    [payload] = server.asked
    assert server.headers[0]["path"] == "/v1/chat/completions"
    assert (payload["model"], payload["temperature"]) == ("llama-3", 0)
    sent = json.dumps(payload)
    assert all(shown in sent for shown in ("why?", "because of that"))
    assert not any(an_id in sent for an_id in ("q-id", "short-id", "long-id"))


def test_fields_are_added_and_left_out(server: ModelServer) -> None:
    ask(server, fields={"max_tokens": None, "max_completion_tokens": 9})
    assert server.asked[0]["max_completion_tokens"] == 9
    assert "max_tokens" not in server.asked[0]


def test_tokens_and_cost_are_counted(server: ModelServer) -> None:
    found = ask(server, prices=Prices(per_million_in=1.0, per_million_out=50.0))
    assert (found.tokens_in, found.tokens_out) == (100, 2)
    assert found.cost == pytest.approx(100e-6 + 100e-6)


@pytest.mark.parametrize("usage", [None, "many", {"prompt_tokens": "x"}, {"prompt_tokens": -3}])
def test_a_server_that_does_not_count_tokens_is_fine(server: ModelServer, usage: object) -> None:
    server.script = [says("1", usage=usage)]
    assert (ask(server).tokens_in, server.asked[0]["model"]) == (0, "llama-3")


def test_the_key_is_sent_and_none_is_fine(server: ModelServer) -> None:
    ask(server, key=KEY)
    ask(server)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "Authorization" not in server.headers[1]


@pytest.mark.parametrize(
    "served",
    [
        says("I would rather not say."),
        says("1 or 2"),
        says(""),
        says(None, message={"refusal": "I cannot help with that."}),
        says("1", choice={"finish_reason": "content_filter"}),
        fails(400, code="content_filter", message="filtered"),
        fails(400, code="context_length_exceeded", message="too long"),
        fails(413, message="too long"),
    ],
)
def test_what_is_no_choice_is_invalid_and_asked_once(server: ModelServer, served: Served) -> None:
    server.script = [served]
    found = ask(server)
    assert found.choice is None
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "served",
    [
        *(fails(status) for status in (408, 429, 500, 502, 503, 504, 529)),
        Served(body=b"{ no json"),
        Served(body=b"[]"),
        Served(body=b"{}"),
        Served(body=b'{"choices": []}'),
        Served(body=b"", headers={"Content-Length": "50"}),
        Served(status=503, body=b"<html>busy</html>"),
    ],
)
def test_what_may_be_better_next_time_is_tried_again(server: ModelServer, served: Served) -> None:
    server.script = [served, served]
    assert ask(server).choice is Choice.LEFT
    assert len(server.asked) == 3


def test_after_so_many_tries_there_is_no_answer(server: ModelServer) -> None:
    server.script = [fails(500, message="broken")] * 3
    with pytest.raises(NoAnswerError, match=r"status 500 \(broken\), 3 times"):
        ask(server)
    assert len(server.asked) == 3


@pytest.mark.parametrize("message", [{"content": 7}, {}, {"content": ["1"]}])
def test_odd_messages_are_invalid(server: ModelServer, message: object) -> None:
    server.script = [Served(body=json.dumps({"choices": [{"message": message}]}).encode())]
    assert ask(server).choice is None


@pytest.mark.parametrize("choices", [[{"message": None}], [{"message": "text"}], [{}], [7], {"0": 1}])
def test_replies_without_a_message_are_no_answer(server: ModelServer, choices: object) -> None:
    server.script = [Served(body=json.dumps({"choices": choices}).encode())]
    with pytest.raises(NoAnswerError, match="without a message"):
        ask(server)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 301, 307])
def test_what_cannot_get_better_stops_at_once(server: ModelServer, status: int) -> None:
    server.script = [fails(status, message="no such model")]
    with pytest.raises(JudgeStoppedError, match=f"status {status}"):
        ask(server)
    assert len(server.asked) == 1


def test_a_redirect_does_not_carry_the_key_elsewhere(server: ModelServer) -> None:
    server.script = [Served(status=302, headers={"Location": f"{server.url}/elsewhere"})]
    with pytest.raises(JudgeStoppedError, match="status 302"):
        ask(server, key=KEY)
    assert [each["path"] for each in server.headers] == ["/v1/chat/completions"]


def test_the_key_is_in_no_message_and_no_record(server: ModelServer) -> None:
    server.script = [fails(401, message=f"Incorrect API key: {KEY}")]
    with pytest.raises(JudgeStoppedError) as stopped:
        ask(server, key=KEY)
    assert KEY not in str(stopped.value)
    assert "***" in str(stopped.value)
    server.script = [says(f"your key is {KEY}")]
    assert KEY not in repr(ask(server, key=KEY))
    server.script = [fails(500, message=KEY)] * 3
    with pytest.raises(NoAnswerError) as failed:
        ask(server, key=KEY)
    assert KEY not in str(failed.value)
    judge = EndpointJudge(server.url, "llama-3", key=KEY)
    assert KEY not in repr(judge) + repr(vars(judge))


@pytest.mark.parametrize("retry_after", ["0.3", "1"])
def test_the_server_says_how_long_to_wait(server: ModelServer, retry_after: str) -> None:
    server.script = [Served(status=429, body=b"{}", headers={"Retry-After": retry_after})]
    assert ask(server).choice is Choice.LEFT
    assert server.times[1] - server.times[0] >= float(retry_after)


def test_a_server_that_asks_for_hours_is_left(server: ModelServer) -> None:
    server.script = [Served(status=429, body=b"{}", headers={"Retry-After": "7200"})]
    with pytest.raises(JudgeStoppedError, match="again in 120 minutes"):
        ask(server)


@pytest.mark.parametrize(
    "served",
    [
        fails(429, code="insufficient_quota", message="You exceeded your current quota, check your plan."),
        fails(429, type="insufficient_quota", message="no"),
        fails(429, message="Insufficient balance"),
        fails(403, code="quota_exceeded", message="no"),
        fails(402, message="Payment required"),
        Served(status=402, body=b"<html>pay</html>"),
        Served(status=429, body=b'{"error": "insufficient_quota"}'),
        Served(status=429, body=b'{"error": {"code": "insufficient_quota"}}', headers={"Retry-After": "1"}),
    ],
)
def test_an_account_without_quota_stops_at_once(server: ModelServer, served: Served) -> None:
    server.script = [served]
    with pytest.raises(JudgeStoppedError, match=r"status 4\d\d.*money or quota left.*is kept: top it up"):
        ask(server)
    assert len(server.asked) == 1


QUOTA_WORDS = b'{"error": {"message": "You exceeded your current quota."}}'


@pytest.mark.parametrize(
    "served",
    [
        fails(429, code="rate_limit_exceeded", message="Rate limit reached for requests"),
        Served(status=429, body=QUOTA_WORDS, headers={"Retry-After": "0.1"}),
        fails(429, message="You exceeded your current quota. Please retry in 0.1s."),
        fails(500, code="insufficient_quota", message="broken"),
    ],
)
def test_a_rate_limit_is_waited_for(server: ModelServer, served: Served) -> None:
    server.script = [served]
    assert ask(server).choice is Choice.LEFT
    assert len(server.asked) == 2


def test_a_silent_server_is_not_waited_for(server: ModelServer) -> None:
    server.script = [Served(wait=5, body=b"{}")]
    assert ask(server, timeout=2.0).choice is Choice.LEFT
    assert len(server.asked) >= 2  # a busy machine may need one more


def test_a_server_that_drips_is_not_waited_for(server: ModelServer) -> None:
    """Every byte comes in time, the whole of them does not."""
    server.script = [Served(body=says("1").body, drip=0.05)] * 3
    with pytest.raises(NoAnswerError, match=r"in 0.3 s, 3 times"):
        ask(server, timeout=0.3)
    assert server.n_sent_whole == 0  # the client hung up


def test_headers_that_drip_are_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stop, n_sent = threading.Event(), [0]

        def drip() -> None:
            client, _ = listener.accept()
            with client:
                try:
                    client.sendall(b"HTTP/1.1 200 OK\r\n")
                    while not stop.wait(0.05):
                        client.sendall(b"X-Drip: 1\r\n")
                        n_sent[0] += 1
                except OSError:
                    return

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        judge = EndpointJudge(url, "m", timeout=0.3, backoff=Backoff(tries=1))
        with pytest.raises(NoAnswerError, match=r"reply in 0.3 s"):
            judge.compare(QUERY, SHORT, LONG)
        assert n_sent[0] < 90  # Python itself gives up after 100
        stop.set()
        thread.join()


def test_an_endless_answer_is_none(server: ModelServer) -> None:
    server.script = [Served(body=b" " * (5 << 20))] * 3
    with pytest.raises(NoAnswerError, match="more than 4,194,304 bytes"):
        ask(server)


def test_nobody_at_the_address_is_said() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and listens to nobody
        judge = EndpointJudge(f"http://127.0.0.1:{silent.getsockname()[1]}", "m", backoff=QUICK)
        with pytest.raises(NoAnswerError, match="refused"):
            judge.compare(QUERY, SHORT, LONG)


def test_a_rate_limit_spreads_requests(server: ModelServer) -> None:
    judge = EndpointJudge(server.url, "m", per_minute=0.1)
    slept: list[float] = []
    judge._client.rate.sleep = slept.append
    for _ in range(3):
        judge.compare(QUERY, SHORT, LONG)
    assert [round(seconds, -2) for seconds in slept] == [600, 1200]


def test_it_is_a_judge_of_both_orders_and_of_its_own_kind(server: ModelServer) -> None:
    judge = EndpointJudge(server.url, "meta/llama-3")
    assert (judge.name, judge.kind, judge.asks_both_orders) == ("meta/llama-3", AssessorKind.LLM, True)
    assert EndpointJudge(server.url, "m", name="ours").name == "ours"


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/x", "host/v1", "http://"])
def test_only_the_web_is_asked(url: str) -> None:
    with pytest.raises(InputError, match=r"expected a URL such as"):
        EndpointJudge(url, "m")


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="password in the endpoint") as refused:
        EndpointJudge("https://me:hunter2@host/v1", "m")
    assert "hunter2" not in str(refused.value)


def test_prices_are_not_negative() -> None:
    with pytest.raises(InputError, match="negative price"):
        Prices(per_million_in=-1)


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    assert read_key("MY_KEY") == KEY
    monkeypatch.delenv("MY_KEY")
    assert read_key("MY_KEY") is None


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "schlüssel"])
def test_what_is_no_key_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(InputError, match=r"\$MY_KEY") as refused:
        read_key("MY_KEY")
    assert value not in str(refused.value)


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:8765/é", "http://host:port/v1", "http://host/a b"])
def test_half_an_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="expected a URL such as"):
        EndpointJudge(url, "m")


def test_what_stands_behind_the_question_mark_is_sent_and_never_shown(server: ModelServer) -> None:
    server.script = [fails(401, message="wrong QSECRET")]
    judge = EndpointJudge(f"{server.url}/?api-key=QSECRET#top", "m", backoff=QUICK)
    with pytest.raises(JudgeStoppedError) as stopped:
        judge.compare(QUERY, SHORT, LONG)
    assert server.headers[0]["path"] == "/v1/chat/completions?api-key=QSECRET"
    assert "QSECRET" not in str(stopped.value)
    assert f"{server.url}/chat/completions: found status 401" in str(stopped.value)
    with pytest.raises(InputError) as refused:
        EndpointJudge("nowhere?api-key=QSECRET", "m")
    assert "QSECRET" not in str(refused.value)


def test_what_a_server_says_cannot_move_the_cursor(server: ModelServer) -> None:
    server.script = [fails(401, message="\x1b[2Jgo \x1b]0;x\x07away\x9b")]
    with pytest.raises(JudgeStoppedError, match=r"status 401 \(go away\)"):
        ask(server)


@pytest.mark.parametrize("name", ["model", "messages", "stream"])
def test_what_is_asked_cannot_be_replaced_by_a_field(server: ModelServer, name: str) -> None:
    with pytest.raises(InputError, match=f"Found '{name}' among the fields"):
        ask(server, fields={name: []})


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 10**400, "completion_tokens": 1}, {"prompt_tokens": True}])
def test_tokens_that_are_not_told_are_not_known(server: ModelServer, usage: object) -> None:
    server.script = [says("1", usage=usage)]
    found = ask(server, prices=Prices(per_million_in=1.0))
    assert (found.choice, found.tokens_in, found.is_metered) == (Choice.LEFT, 0, False)
    assert ask(server).is_metered
