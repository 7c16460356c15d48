"""Does `make bench` measure what it says: a peer that is on the machine, every row of its table, beside which work?"""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.conditions import Moment
from benchmarks.contenders import TOPRUNG, Contender, TrecEval
from benchmarks.everything import PARTS, DonePart, complain, to_page
from benchmarks.figures import KEPT_IN, Figure, keep, read_figures
from benchmarks.inputs import InputFiles
from benchmarks.timing import Timing, largest_difference, time_in_turns
from benchmarks.waits import ROWS, say_waits, without_figures

# Prints what trec_eval prints of these files, with the measures it is asked for; -q adds a line for each query.
TREC_EVAL = """#!/bin/sh
case " $* " in *" -c -m recip_rank -m ndcg_cut.10 -m map -m recall.1000 "*) ;; *) exit 2 ;; esac
for argument; do run=$argument; done
case $run in
*run01*) set -- "$1" 0.5000 0.6309 0.5000 1.0000 ;;
*) set -- "$1" 1.0000 1.0000 1.0000 1.0000 ;;
esac
of="all"; [ "$1" = "-q" ] && of="q1 all"
for query in $of; do
  printf 'recip_rank            \\t%s\\t%s\\n' "$query" "$2"
  printf 'ndcg_cut_10           \\t%s\\t%s\\n' "$query" "$3"
  printf 'map                   \\t%s\\t%s\\n' "$query" "$4"
  printf 'recall_1000           \\t%s\\t%s\\n' "$query" "$5"
done
"""


@pytest.fixture
def files(tmp_path: Path) -> InputFiles:
    made = InputFiles(tmp_path, 2)
    made.qrels.write_text("q1 0 d1 1\n")
    made.runs[0].write_text("q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n")
    made.runs[1].write_text("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n")
    return made


@pytest.fixture
def trec_eval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the machine."""
    program = tmp_path / "bin" / "trec_eval"
    program.parent.mkdir()
    program.write_text(TREC_EVAL)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


@pytest.mark.parametrize("tells_queries", [False, True])
def test_trec_eval_takes_turns_where_it_is_on_the_machine(
    files: InputFiles, trec_eval: None, tells_queries: bool
) -> None:
    peer = TrecEval(tells_queries=tells_queries)
    assert peer.is_installed()
    contenders: list[Contender] = [TOPRUNG, peer]
    ours, theirs = timings = [Timing("tiny", each, 2) for each in contenders]
    time_in_turns(timings, files)
    assert [len(each.costs) for each in timings] == [2, 2]
    assert largest_difference(theirs.means, ours.means) < 1e-4
    assert theirs.means["run01", "nDCG@10"] == pytest.approx(0.6309)


def test_trec_eval_is_left_out_where_it_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not TrecEval().is_installed()


def test_parts_keep_their_figures_for_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "figures.jsonl"
    keep("leave-one-out", 9.0)  # by itself a part keeps nothing
    monkeypatch.setenv(KEPT_IN, str(kept))
    keep("leave-one-out", 0.19)
    keep("Parquet", 0.36, {"pytrec_eval": 4.3}, 99_000_000)
    keep("text of 6.98M lines", 0.32, {"pytrec_eval": 3.31})
    figures = read_figures(kept)
    assert figures["leave-one-out"] == Figure(cpu_seconds=0.19)
    said = say_waits(figures)
    assert "| 0.360, 99 MB" in said
    assert "| pytrec_eval 4.30 (× 12)" in said
    assert "gains is about × 2.0" in said
    assert said.count("not measured") == sum(len(row.names) for row in ROWS) - 3
    assert without_figures(figures, ["labels", "held"]) == ["judgments to labels"]
    assert {row.by for row in ROWS} <= set(PARTS)


def done(name: str, exit_code: int = 0) -> DonePart:
    return DonePart(
        name=name, text=f"## {name}", exit_code=exit_code, minutes=1.5, load="0.10, 0.20, 0.30", cores_of_others=0.25
    )


def test_the_page_has_conditions_the_table_and_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    page = to_page(["Machine: two cores"], [done("run"), done("labels")], {})
    where = [
        page.index(each)
        for each in ("# Benchmark", "two cores", "3 minutes", "how long they wait", "## run", "## labels")
    ]
    assert where == sorted(where)
    assert "| labels | 1.5     | 0.10, 0.20, 0.30" in page
    assert "others used 0.25 of " in page
    assert "This part ended with 1" in to_page([], [done("run", 1)], {})
    assert complain([done("run", 1), done("labels")], {}) == 1
    said = capsys.readouterr().err
    assert "run ended with 1" in said
    assert "nothing was measured of: leave-one-out" in said
    everything = {name: Figure(cpu_seconds=1.0) for row in ROWS for name in row.names}
    assert complain([done("run")], everything) == 0


def test_work_of_others_is_all_work_but_our_own() -> None:
    before = Moment(seconds=100.0, cpu_of_all=500.0, own_cpu=3.0)
    assert Moment(seconds=110.0, cpu_of_all=518.0, own_cpu=11.0).cores_of_others(before) == 1.0
    assert Moment(seconds=110.0, cpu_of_all=None, own_cpu=11.0).cores_of_others(before) is None
    assert Moment.now().own_cpu > 0
