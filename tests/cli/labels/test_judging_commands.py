"""``toprung labels tasks, judge, audit, diagnose``, from pools to judgments."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.labels.model_server import ModelServer, Served, fails, says, serving

from toprung.cli.labels import labels
from toprung.data.judgments import AssessorKind, Choice
from toprung.labels.effort.effort import Effort
from toprung.labels.tasks.make import deal_all
from toprung.labels.tasks.sitting import Sitting
from toprung.report.render import OutputFormat

Command = Callable[..., Any]

N = 6
QRELS = "".join(f"q{i} 0 label{i} 1\n" for i in range(N))
# The run has the label first in q0 and q1.
RUN = "".join(
    f"q{i} Q0 {first}{i} 1 2 x\nq{i} Q0 {second}{i} 2 1 x\n"
    for i in range(N)
    for first, second in [("label", "other") if i < 2 else ("other", "label")]
)


@pytest.fixture
def effort(toprung: Command, files: Path) -> Command:
    """Pools of q2 to q5: the label and another. Labels are the shorter texts."""
    (files / "six.txt").write_text(QRELS)
    (files / "llama-rank.run").write_text(RUN)
    (files / "queries.tsv").write_text("".join(f"q{i}\twhy {i}?\n" for i in range(N)))
    texts = "".join(f"label{i}\tshort {i}\nother{i}\ta longer text {i}\n" for i in range(N))
    (files / "docs.tsv").write_text(texts)
    pooled = ("six.txt", "llama-rank.run", "--queries", "queries.tsv", "--documents", "docs.tsv")
    assert toprung("labels", "pool", *pooled, "--state", "S").code == 0
    return toprung


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    with serving() as found:
        yield found


def press(command: str, keys: str) -> str:
    """What a person at the terminal sees."""
    found = CliRunner().invoke(labels, shlex.split(command), input=keys, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


def test_tasks_are_to_be_dealt_of_the_pools(effort: Command) -> None:
    outcome = effort("labels", "tasks", "--state", "S", "--per-task", "2", "--golds-per-task", "1", "--seed", "5")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "4 pairs of 4 queries to deal, in 2 tasks with 2 golds."
    assert "Seed 5" in outcome.out


def test_golds_are_read_from_a_file(effort: Command, files: Path) -> None:
    (files / "golds.txt").write_text("q0 label0 other5\nq1 label1 other5\n")
    outcome = effort("labels", "tasks", "--state", "S", "--golds", "golds.txt", "--golds-per-task", "2", "-f", "csv")
    assert [row["query_id"] for row in csv.DictReader(io.StringIO(outcome.out))] == ["q2", "q3", "q4", "q5"]
    [task] = deal_all(Effort.open("S"))
    assert {pair.query_id for pair in task.golds} == {"q0", "q1"}


def test_the_scope_of_voids_is_kept(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0", "--scope", "assessor")
    effort("labels", "tasks", "--state", "S")
    assert Sitting(Effort.open("S")).rule.scope == "assessor"


def test_a_person_works_through_a_task_and_quits_and_comes_back(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--per-task", "4", "--golds-per-task", "2")
    [task] = deal_all(Effort.open("S"))
    keys = "".join(
        "1" if slot.left.startswith("label") and slot.good in (None, slot.left) else "2" for slot in task.slots
    )
    first = press("judge --state S --terminal --assessor ann", f"{keys[:2]}q")
    assert "2 pairs judged. Ended: quit." in first
    rest = press("judge --state S --terminal --assessor ann", keys[2:])
    assert "3 of 6" in rest
    assert "1 of 6" not in rest
    assert "1 task accepted." in rest
    assert len(Effort.open("S").read_judgments().rows) == 6


def test_nobody_is_shown_an_id_or_a_run(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--per-task", "4", "--golds-per-task", "2")
    shown = press("judge --state S --terminal --assessor ann", "111111")
    assert not any(word in shown for word in ("label", "other", "llama", "q2", "t0000"))


def test_without_tasks_a_person_is_asked_the_pairs(effort: Command) -> None:
    shown = press("judge --state S --terminal --assessor ann --limit 3", "12s")
    assert "2 pairs judged; 2 left." in shown
    assert "Skipped, still open: 1 pair." in shown
    assert {each.kind for each in Effort.open("S").read_judgments().rows} == {AssessorKind.HUMAN}


def test_a_model_is_asked_every_pair_in_both_orders(effort: Command, server: ModelServer) -> None:
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m-1", "--at-once", "2")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "4 pairs judged."
    assert len(server.asked) == 8
    rows = Effort.open("S").read_judgments().rows
    assert {(each.assessor, each.kind) for each in rows} == {("m-1", AssessorKind.LLM)}
    assert all(str(each.winner).startswith("label") for each in rows)


def test_a_models_judgments_are_left_out_of_outcomes_unless_asked_for(effort: Command, server: ModelServer) -> None:
    effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m")
    assert effort("labels", "outcomes", "--state", "S").out.startswith("No votes yet")
    assert effort("labels", "outcomes", "--state", "S", "--kind", "llm").out.startswith("4 votes on 4 pairs")


def test_the_key_comes_from_the_variable_that_is_named(
    effort: Command, server: ModelServer, monkeypatch: pytest.MonkeyPatch, files: Path
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    server.script = [fails(429, message="slow down, sk-secret")]
    arguments = (
        "labels",
        "judge",
        "--state",
        "S",
        "--endpoint",
        server.url,
        "--model",
        "m",
        "--key-variable",
        "MY_KEY",
    )
    outcome = effort(*arguments)
    assert {each["Authorization"] for each in server.headers} == {"Bearer sk-secret"}
    kept = b"".join(path.read_bytes() for path in (files / "S").iterdir())
    assert b"sk-secret" not in kept
    assert "sk-secret" not in outcome.out + outcome.err


def test_the_budget_stops_and_the_cost_is_said(effort: Command, server: ModelServer) -> None:
    priced = ("--price-in", "1000", "--price-out", "0", "--budget", "0.35")
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m", *priced)
    assert "Ended: the budget of 0.35 is reached, with 0.3000 spent." in outcome.out
    assert "3 answers, 306 tokens, 0.3000 spent now." in outcome.out
    assert len(server.asked) == 3


def test_invalid_answers_are_counted_and_are_no_votes(effort: Command, server: ModelServer) -> None:
    server.behaviour = lambda _: says("I cannot judge that.")
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m")
    assert "An invalid answer, which is no vote: 4 pairs." in outcome.out
    assert Effort.open("S").read_judgments().rows == ()


def test_a_model_of_a_runs_family_is_warned_of(effort: Command, server: ModelServer) -> None:
    arguments = ("labels", "judge", "--state", "S", "--endpoint", server.url, "--limit", "1")
    outcome = effort(*arguments, "--model", "meta/Llama-3")
    assert "llama-rank and the judge are of the family 'llama'" in outcome.err
    assert "Warning" in effort("labels", "diagnose", "--state", "S").out
    assert "Warning" not in effort(*arguments, "--model", "other", "--family", "gpt", "--assessor", "x").out


def test_a_failing_endpoint_exits_2_and_keeps_what_there_is(effort: Command, server: ModelServer) -> None:
    server.script = [says("1"), says("2"), fails(401, message="bad key")]
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m")
    assert (outcome.code, outcome.out) == (2, "")
    assert "status 401 (bad key)" in outcome.err
    assert len(Effort.open("S").read_judgments().rows) == 1


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    choice = "left" if len(asked["left"]) < len(asked["right"]) else "right"
    print(json.dumps({"id": asked["id"], "choice": choice}), flush=True)
"""


def test_a_program_judges(effort: Command, files: Path) -> None:
    (files / "judge.py").write_text(PROGRAM)
    command = f"{shlex.quote(sys.executable)} judge.py"
    outcome = effort("labels", "judge", "--state", "S", "--command", command, "--assessor", "prog")
    assert outcome.out.startswith("4 pairs judged.")
    rows = Effort.open("S").read_judgments().rows
    assert {(each.assessor, each.kind) for each in rows} == {("prog", AssessorKind.LLM)}


def test_a_file_answers_what_it_knows(effort: Command, files: Path) -> None:
    (files / "answers.txt").write_text("q2 label2 other2 other2\nq3 other3 label3 label3\n")
    outcome = effort("labels", "judge", "--state", "S", "--answers", "answers.txt", "--assessor", "bob")
    assert "2 pairs judged; 2 left." in outcome.out
    assert "No answer, still open: 2 pairs." in outcome.out
    winners = {each.query_id: each.winner for each in Effort.open("S").read_judgments().rows}
    assert winners == {"q2": "other2", "q3": "label3"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Found 0 ways to judge"),
        (("--terminal", "--command", "x"), "Found 2 ways to judge"),
        (("--endpoint", "http://127.0.0.1:9"), "--endpoint without --model"),
        (("--endpoint", "nowhere", "--model", "m"), "expected a URL such as"),
        (("--endpoint", "http://x", "--model", "m", "--budget", "1"), "--budget without prices"),
        (("--endpoint", "http://x", "--model", "m", "--fields", "[1]"), "expected a JSON object"),
        (("--terminal", "--kind", "llm"), "expected a person there"),
        (("--terminal", "--documents", "queries.tsv"), "Found no text for 8 of 8 documents"),
        (("--command", "no-such-program"), "no program that starts"),
        (("--endpoint", "http://x", "--model", "m", "--kind", "human"), "expected a language model there"),
        (("--endpoint", "http://x", "--model", "m", "--fields", '{"messages": []}'), "Found 'messages' among"),
        (("--endpoint", "http://[::1", "--model", "m"), "expected a URL such as"),
        (("--terminal", "--assessor", "\udcff"), "expected text in UTF-8"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(effort: Command, arguments: tuple[str, ...], message: str) -> None:
    outcome = effort("labels", "judge", "--state", "S", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_state_without_texts_asks_for_them(toprung: Command) -> None:
    assert toprung("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S").code == 0
    outcome = toprung("labels", "judge", "--state", "S", "--terminal")
    assert "Found no texts of queries; expected --queries FILE." in outcome.err


def test_no_state_is_said(toprung: Command) -> None:
    for name in ("tasks", "diagnose"):
        assert "expected the state of a judging effort" in toprung("labels", name, "--state", "nowhere").err


def test_an_audit_first_makes_pairs_and_then_shows_what_was_judged(effort: Command) -> None:
    arguments = ("labels", "audit", "six.txt", "llama-rank.run", "--state", "A")
    first = effort(*arguments)
    assert first.out.startswith("6 pairs to judge: 2 where llama-rank puts the label first, 4 where it does not.")
    assert effort("labels", "tasks", "--state", "A", "--golds-per-task", "0").code == 0
    shown = press("judge --state A --terminal --assessor ann --queries queries.tsv --documents docs.tsv", "1" * 6)
    assert "6 pairs judged" in shown
    found = json.loads(effort(*arguments, "--format", "json").out)
    counts = found["categories"]
    assert (counts["A"]["queries"], counts["B"]["queries"], counts["A"]["open"], counts["B"]["open"]) == (2, 4, 0, 0)


def test_an_audit_reads_judgments_made_elsewhere(effort: Command, files: Path) -> None:
    (files / "judged.txt").write_text("q0 label0 other0 label0\nq2 label2 other2 other2\nq3 label3 other3 other3\n")
    outcome = effort("labels", "audit", "six.txt", "llama-rank.run", "--judgments", "judged.txt", "-f", "json")
    counts = json.loads(outcome.out)["categories"]
    assert (counts["A"]["label_preferred"], counts["B"]["other_preferred"], counts["B"]["open"]) == (1, 2, 2)


@pytest.mark.parametrize("arguments", [(), ("--state", "A", "--judgments", "x")])
def test_an_audit_needs_one_source(effort: Command, arguments: tuple[str, ...]) -> None:
    outcome = effort("labels", "audit", "six.txt", "llama-rank.run", *arguments)
    assert outcome.code == 2
    assert "Found both or neither of --state and --judgments" in outcome.err


def test_diagnose_tells_of_people_models_and_golds(effort: Command, server: ModelServer) -> None:
    effort("labels", "tasks", "--state", "S", "--per-task", "4", "--golds-per-task", "2")
    effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m")
    press("judge --state S --terminal --assessor ann", "111111")
    outcome = effort("labels", "diagnose", "--state", "S", "--format", "json")
    figures = {(row["what"], row["who"]): row for row in json.loads(outcome.out)["figures"]}
    assert figures["left side chosen", "m"]["n"] == 8  # its golds are two texts of one length: ties
    assert figures["left side chosen", "m"]["figure"] == 0.5
    assert figures["same with sides swapped", "m"]["figure"] == 1.0
    assert figures["golds passed", "people"]["n"] == 2


@pytest.mark.parametrize("output_format", list(OutputFormat))
@pytest.mark.parametrize("name", ["diagnose", "tasks"])
def test_every_format_is_written_to_a_file(effort: Command, files: Path, name: str, output_format: str) -> None:
    press("judge --state S --terminal --assessor ann", "1111")
    arguments = ("--state", "S", "--format", output_format, "--output", "out")
    assert effort("labels", name, *arguments, *(("--golds-per-task", "0") if name == "tasks" else ())).code == 0
    assert (files / "out").read_text(encoding="utf-8")


def test_stale_work_is_released(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0")
    press("judge --state S --terminal --assessor ann", "1q")
    effort("labels", "tasks", "--state", "S", "--release-after", "0")
    state = Effort.open("S")
    assert [str(each.stage) for each in Sitting(state).assignments] == ["timed_out"]
    assert [each.choice for each in state.read_judgments().current] == [Choice.SKIP]
    assert "release_after" not in state.manifest["tasks"]  # once, not at every offer


def test_after_how_long_work_is_released_is_kept(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0", "--release-after", "2")
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0")
    assert Effort.open("S").manifest["tasks"]["release_after"] == 2.0


def test_a_real_server_error_is_tried_again(effort: Command, server: ModelServer) -> None:
    server.script = [Served(status=429, body=b"{}", headers={"Retry-After": "0.1"})]
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m", "--limit", "1")
    assert outcome.out.startswith("1 pair judged; 3 left.")
    assert len(server.asked) == 3


def test_a_server_that_is_not_there_is_said_and_exits_2(effort: Command) -> None:
    arguments = ("--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--tries", "1", "--limit", "2")
    outcome = effort("labels", "judge", "--state", "S", *arguments)
    assert outcome.code == 2
    assert outcome.out.startswith("0 pairs judged; 4 left.")
    assert "Why no answer, the last time: http://127.0.0.1:9/v1/chat/completions: found" in outcome.out


def test_invalid_pairs_are_not_called_judged(effort: Command, server: ModelServer) -> None:
    server.behaviour = lambda _: says("\ud800 neither")
    outcome = effort("labels", "judge", "--state", "S", "--endpoint", server.url, "--model", "m")
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "0 pairs judged.")


def test_a_file_that_misses_a_gold_is_not_counted_there(effort: Command, files: Path) -> None:
    effort("labels", "tasks", "--state", "S", "--per-task", "4", "--golds-per-task", "2")
    slots = [slot for task in deal_all(Effort.open("S")) for slot in task.slots]
    lines = [f"{s.query_id} {s.left} {s.right} {s.right if s.good == s.left else s.left}\n" for s in slots]
    (files / "answers.txt").write_text("".join(lines))
    outcome = effort("labels", "judge", "--state", "S", "--answers", "answers.txt")
    assert "0 of 2 golds passed." in outcome.out
    assert "Taken back, for a missed gold in their task: 4 pairs." in outcome.out
    assert effort("labels", "outcomes", "--state", "S").out.startswith("No votes yet")


def test_the_seed_decides_the_sides_where_there_are_no_tasks(effort: Command) -> None:
    shown = {press(f"judge --state S --terminal --assessor a --seed {seed}", "q") for seed in range(6)}
    assert len(shown) > 1


def test_tasks_dealt_at_the_same_time_are_dealt_once(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0")
    state = Effort.open("S")
    threads = [threading.Thread(target=deal_all, args=(state,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = [slot["query_id"] for task in state.read("tasks") for slot in task["slots"]]
    assert sorted(pairs) == ["q2", "q3", "q4", "q5"]


def test_diagnose_names_a_line_edited_by_hand_and_counts_events_that_cannot_be(effort: Command) -> None:
    effort("labels", "tasks", "--state", "S", "--golds-per-task", "0")
    press("judge --state S --terminal --assessor ann", "1111")
    state = Effort.open("S")
    state.append("assignments", [{**state.read("assignments")[-1], "stage": "active"}])
    assert "Passed over: 1 event of assignments" in effort("labels", "diagnose", "--state", "S").out
    state.append("answers", [{"assessor": "m", "choice": 5}])
    outcome = effort("labels", "diagnose", "--state", "S")
    assert (outcome.code, "answers.jsonl, line 1" in outcome.err) == (2, True)
