from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.store import read_pools
from toprung.report.render import OutputFormat

QRELS = "q1 0 A 1\nq2 0 A 1\nq3 0 A 1\n"
OLD = "q1 Q0 A 1 2 r\nq2 Q0 B 1 2 r\nq2 Q0 A 2 1 r\nq3 Q0 A 1 1 r\n"
NEW = "q1 Q0 N 1 2 r\nq1 Q0 A 2 1 r\nq2 Q0 M 1 2 r\nq3 Q0 A 1 1 r\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "old.run": OLD, "new.run": NEW}.items():
        Path(name).write_text(text)
    assert toprung("pool", "qrels", "old.run", "--state", "state").exit_code == 0


def toprung(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["labels", *arguments])


def challenge(*arguments: str) -> Result:
    return toprung("challenge", "--state", "state", "qrels", "new.run", "old.run", "-m", "RR", *arguments)


def vote(text: str) -> None:
    """Lines of ``query one other winner``, each file with its own judgments."""
    path = Path(f"votes{len(list(Path().glob('votes*')))}.pref")
    path.write_text(text)
    assert toprung("import", "--state", "state", str(path)).exit_code == 0


def test_pairs_are_queued_and_the_interval_is_shown() -> None:
    found = challenge()
    assert found.exit_code == 0, found.output
    # all lost: 1/2, 0, 1; all won: 1, 1, 1
    assert found.output.splitlines()[0] == (
        "new has 2 open challenges; its RR is 0.5000 if all are lost (place 2 of 2) and 1.0000 if all are won "
        "(place 1 of 2)."
    )
    records = Effort.open("state").read("challenges")
    assert [(each["query_id"], each["challenger"], each["best"]) for each in records] == [
        ("q1", "N", ["A"]),
        ("q2", "M", ["A"]),
    ]


def test_the_provenance_names_the_judgments() -> None:
    vote("q1 N A N\n")
    provenance = json.loads(challenge("--format", "json").output)["provenance"]
    assert provenance["judgments_digest"] == Effort.open("state").read_judgments().digest


def test_queued_pairs_become_tasks_until_they_are_decided() -> None:
    vote("q2 A B A\n")  # the pool's own pair
    challenge()
    made = json.loads(toprung("tasks", "--state", "state", "--golds-per-task", "0", "-f", "json").output)
    assert made["pairs"] == 2


def test_asking_again_queues_nothing_twice() -> None:
    challenge()
    challenge()
    assert len(Effort.open("state").read("challenges")) == 2


def test_after_judging_the_new_labels_are_written_with_their_parent() -> None:
    challenge()
    vote("q1 A N N\nq2 A M A\n")
    vote("q1 N A N\nq2 M A A\n")
    found = challenge("--labels", "next.qrels", "-f", "json")
    assert found.exit_code == 0, found.output
    shown = json.loads(found.output)
    assert shown["challenges"] == {"won": 1, "lost": 1, "open": 0, "open_pairs": 0, "held_back": 0}
    assert Path("next.qrels").read_text() == "q1 0 N 1\nq2 0 A 1\nq3 0 A 1\n"
    manifest = json.loads(Path("next.qrels.manifest.json").read_text())
    assert manifest["policy"] == "best-of-3"
    assert manifest["parent"] is not None
    assert [each["digest"] for each in Effort.open("state").read("qrels")] == [manifest["digest"]]


def test_the_rule_is_taken_and_kept_for_the_tasks() -> None:
    challenge("--rule", "sequential")
    vote("q1 A N N\n")
    vote("q1 N A N\n")
    shown = json.loads(challenge("--rule", "sequential", "-f", "json").output)
    assert shown["challenges"]["open"] == 2
    assert Effort.open("state").manifest["challenges"] == {"rule": "sequential"}


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = challenge("-f", output_format, "-o", "out", "--seed", "2")
    assert (found.exit_code, found.output) == (0, "")
    assert "new" in Path("out").read_text(encoding="utf-8")


def test_a_state_that_is_not_there_is_refused() -> None:
    found = toprung("challenge", "--state", "nowhere", "qrels", "new.run")
    assert isinstance(found.exception, InputError)
    assert "nowhere: found no manifest.json" in str(found.exception)


def test_a_tournament_after_won_challenges_keeps_them() -> None:
    vote("q2 A B A\n")
    challenge()
    vote("q1 A N N\nq2 A M A\n")
    vote("q1 N A N\nq2 M A A\n")
    assert challenge("--labels", "v2.qrels").exit_code == 0
    found = toprung("tournament", "--state", "state", "-o", "v3.qrels")
    assert found.exit_code == 0, found.output
    assert Path("v3.qrels").read_text() == Path("v2.qrels").read_text() == "q1 0 N 1\nq2 0 A 1\nq3 0 A 1\n"
    assert "Challenges: 1 won, 1 lost, 0 open." in found.output
    assert json.loads(Path("v3.qrels.manifest.json").read_text())["policy"] == "majority, challenges by best-of-3"


def test_the_texts_of_the_pools_tell_which_first_answer_is_no_challenge() -> None:
    Path("docs.tsv").write_text("A\tsame\nB\tother\nN\tsame\nM\tnew\n")
    assert toprung("pool", "qrels", "old.run", "--state", "texts", "--documents", "docs.tsv").exit_code == 0
    found = toprung("challenge", "--state", "texts", "qrels", "new.run", "-m", "RR", "--labels", "v2.qrels")
    assert found.exit_code == 0, found.output
    assert [each["challenger"] for each in Effort.open("texts").read("challenges")] == ["M"]
    assert "best in 2, in the pool but not best in 0, new in 1." in found.output
    assert "q1 0 A 1\nq1 0 N 1\n" in Path("v2.qrels").read_text()
    # by hand, without the texts, N is a challenger too
    challenge()
    assert [each["challenger"] for each in Effort.open("state").read("challenges")] == ["N", "M"]
    challenge("--documents", "docs.tsv")
    assert [pool.same_text for pool in read_pools(Effort.open("state"))] == [{"N": "A"}, {}, {}]


def test_of_graded_labels_only_the_highest_grade_is_challenged_and_that_is_said() -> None:
    Path("qrels").write_text("q1 0 A 2\nq1 0 C 1\nq2 0 A 1\nq3 0 A 1\n")
    found = challenge()
    assert [each["best"] for each in Effort.open("state").read("challenges")] == [["A"], ["A"]]
    assert "only the highest grade of a query is the best known" in found.output


def test_open_challenges_are_counted_by_cost_and_outcomes() -> None:
    vote("q2 A B A\n")
    assert "Nothing is left to judge" in toprung("cost", "--state", "state").output
    challenge()
    assert toprung("cost", "--state", "state").output.startswith("2 pairs of 3 are still to judge")
    vote("q1 A N N\n")  # one of at most three
    assert toprung("cost", "--state", "state").output.startswith("2 pairs of 3 are still to judge")
    assert "1 more without a vote" in toprung("outcomes", "--state", "state").output


def test_the_same_labels_from_other_judgments_are_another_version() -> None:
    challenge()
    vote("q1 A N N\nq2 A M A\n")
    vote("q1 N A N\nq2 M A A\n")
    for _ in range(2):
        challenge("--labels", "next.qrels")
    assert len(Effort.open("state").read("qrels")) == 1
    vote("q1 A N A\n")  # two of three are enough
    challenge("--labels", "next.qrels")
    first, second = Effort.open("state").read("qrels")
    assert first["digest"] == second["digest"]
    assert first["judgments_digest"] != second["judgments_digest"]
    assert first["kinds"] == ["human", "import"]


def test_decided_challengers_are_among_the_answers_that_are_asked_next() -> None:
    vote("q2 A B A\n")
    challenge()
    before = json.loads(toprung("outcomes", "--state", "state", "--next", "9", "-f", "json").output)
    vote("q1 A N N\nq2 A M M\n")
    vote("q1 N A N\nq2 M A M\n")
    after = json.loads(toprung("outcomes", "--state", "state", "--next", "9", "-f", "json").output)
    assert [(each["query_id"], each["a"], each["b"]) for each in before["pairs"]] == [("q2", "A", "B")]
    assert {(each["query_id"], each["b"]) for each in after["pairs"]} == {("q1", "N"), ("q2", "M")}


def test_a_team_may_have_only_so_many_open_challenges() -> None:
    found = json.loads(challenge("--team", "ours", "--most", "1", "-f", "json").output)
    assert found["challenges"] == {"won": 0, "lost": 0, "open": 2, "open_pairs": 2, "held_back": 1}
    assert [each["team"] for each in Effort.open("state").read("challenges")] == ["ours"]
    vote("q1 A N N\n")
    vote("q1 N A N\n")
    assert json.loads(challenge("--team", "ours", "-f", "json").output)["challenges"]["held_back"] == 0
    assert len(Effort.open("state").read("challenges")) == 2


def test_an_answer_with_nearly_the_text_of_an_earlier_challenger_is_judged_with_it() -> None:
    Path("docs.tsv").write_text("A\tin Paris\nB\tin Nice\nN\tIn Rome.\nM\tin Oslo\nN2\tin  rome\n")
    challenge("--documents", "docs.tsv")
    Path("copy.run").write_text(NEW.replace(" N ", " N2 "))
    arguments = ("challenge", "--state", "state", "qrels", "copy.run", "-m", "RR", "--documents", "docs.tsv")
    found = toprung(*arguments)
    assert "Nearly the text of an earlier challenger, which stands for it: 1 answer." in found.output
    made = json.loads(toprung("tasks", "--state", "state", "--golds-per-task", "0", "-f", "json").output)
    assert made["pairs"] == 3  # the pool's own of q2, and one for each of two texts
    vote("q1 A N N\n")
    vote("q1 N A N\n")
    toprung(*arguments, "--labels", "next.qrels")
    assert Path("next.qrels").read_text() == "q1 0 N 1\nq1 0 N2 1\nq2 0 A 1\nq3 0 A 1\n"
