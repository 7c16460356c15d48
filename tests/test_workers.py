"""Who does the work? Whoever it is, the results are the same."""

import os
import pickle
import re
import subprocess
import sys
import threading
from math import factorial

import numpy as np
import pytest

from toprung.analyses.agreement.find import agreement
from toprung.analyses.simulate.find import simulate
from toprung.data.formats.runs.files import read_run
from toprung.data.matrices import ScoreTable
from toprung.errors import FormatError, InputError, MissingPackageError, TooLargeError, WorkerLostError
from toprung.scoring.evaluate import evaluate
from toprung.workers import Workers

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1, "d3": 2}}
RUNS = {
    "one": {"q1": {"d1": 1.0, "d2": 2.0}, "q2": {"d2": 1.0}},
    "two": {"q1": {"d1": 3.0}, "q2": {"d9": 4.0, "d3": 1.0}},
    "three": {"q1": {"d5": 3.0}},
}


@pytest.fixture(params=["loky", "threading", "dask"])
def backend(request):
    if request.param == "dask":
        request.getfixturevalue("dask_client")
    return request.param


# What workers are given here, they must be able to import.
WHERE = "(__import__('os').getpid(), __import__('threading').current_thread().name)"


@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_the_order_of_the_pieces_whoever_does_them(count, backend):
    assert Workers(count=count, backend=backend).map(factorial, list(range(20))) == [factorial(n) for n in range(20)]


def test_one_worker_is_this_process():
    assert Workers().map(eval, [WHERE] * 2) == [(os.getpid(), threading.current_thread().name)] * 2


@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_processes_are_other_processes(backend):
    """Without a client, Dask starts a cluster of its own."""
    assert os.getpid() not in {pid for pid, _ in Workers(count=2, backend=backend).map(eval, [WHERE] * 2)}


def test_threads_are_in_this_process():
    assert {pid for pid, _ in Workers(count=2, backend="threading").map(eval, [WHERE] * 3)} == {os.getpid()}


def test_no_pieces_give_no_results():
    assert Workers(count=2).map(factorial, []) == []


def test_progress_is_told_piece_by_piece(backend):
    told = []
    Workers(count=2, backend=backend).map(factorial, [5, 6, 7], on_progress=told.append)
    assert told == ["1 of 3", "2 of 3", "3 of 3"]


def test_an_error_in_a_worker_arrives_as_it_was_raised(backend, tmp_path):
    good, bad = tmp_path / "good.run", tmp_path / "bad.run"
    good.write_text("q1 Q0 d1 1 0.5 tag\n")
    bad.write_text("q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.4\n")
    with pytest.raises(FormatError, match=re.escape(f"{bad}, line 2: found 5 columns")) as caught:
        Workers(count=2, backend=backend).map(read_run, [good, bad, good])
    assert caught.value.line == 2


def test_a_worker_that_was_ended_is_said_so():
    end_itself = "__import__('os').kill(__import__('os').getpid(), 9)"
    with pytest.raises(
        WorkerLostError, match="A worker process was ended from outside, most likely for want of memory"
    ):
        Workers(count=2).map(eval, ["1", end_itself, "3"])


@pytest.mark.parametrize("kind", [FormatError, TooLargeError])
def test_errors_survive_pickling(kind):
    error = kind(source="a.run", line=3, found="this", expected="that", advice="Mend it.")
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), vars(back)) == (kind, str(error), vars(error))


def test_an_unknown_backend_is_refused_with_what_there_is():
    with pytest.raises(InputError, match="backend: found 'abacus'; expected loky, threading"):
        Workers(count=2, backend="abacus").map(factorial, [1])


def test_forking_is_refused_since_the_reader_has_threads():
    with pytest.raises(InputError, match="found 'multiprocessing', whose forks can hang beside threads; expected loky"):
        Workers(count=2, backend="multiprocessing").map(factorial, [1])


def test_a_negative_number_of_workers_is_refused():
    with pytest.raises(InputError, match="workers: found -1; expected a number from 1, or 0 for all cores"):
        Workers(count=-1)


def test_a_scheduler_that_does_not_answer_is_said_so(monkeypatch):
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:1")
    monkeypatch.setattr("toprung.workers.CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match=r"DASK_SCHEDULER_ADDRESS: found tcp://127\.0\.0\.1:1, which does not"):
        Workers(count=2, backend="dask").map(factorial, [1])


def test_without_distributed_the_dask_backend_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'toprung\[dask\]'"):
        Workers(count=2, backend="dask").map(factorial, [1])


def test_evaluate_gives_the_same_whoever_scores(backend):
    alone = evaluate(QRELS, RUNS, ["RR", "nDCG@10", "AP"], workers=Workers())
    told = []
    spread = evaluate(
        QRELS, RUNS, ["RR", "nDCG@10", "AP"], workers=Workers(count=2, backend=backend), on_progress=told.append
    )
    assert spread.to_dict() == alone.to_dict()
    assert spread.by_query().to_dict() == alone.by_query().to_dict()
    assert told == ["one", "two", "three"]


def test_agreement_gives_the_same_whoever_splits(backend):
    values = np.random.default_rng(1).random((20, 3))
    table = ScoreTable(
        query_ids=tuple(f"q{i:02}" for i in range(20)), runs=("a", "b", "c"), values=values, measure="AP"
    )
    alone = agreement(table, splits=6)
    assert agreement(table, splits=6, workers=Workers(count=2, backend=backend)).to_dict() == alone.to_dict()


def test_simulate_gives_the_same_whoever_lives_through_the_boards(backend):
    small = {"queries": 60, "submissions": 6, "boards": 30, "attack": 20, "attackers": 3}
    alone = simulate(**small)
    assert simulate(**small, workers=Workers(count=2, backend=backend)).to_dict() == alone.to_dict()


def test_a_current_dask_client_is_used(dask_client):
    pids = {pid for pid, _ in Workers(count=2, backend="dask").map(eval, [WHERE] * 8)}
    assert pids <= set(dask_client.run(os.getpid).values())


def test_the_cluster_that_the_environment_names_is_joined(scheduler, monkeypatch):
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:
        expected = set(client.run(os.getpid).values())
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", scheduler)
    assert {pid for pid, _ in Workers(count=2, backend="dask").map(eval, [WHERE] * 8)} <= expected


def test_evaluate_does_not_import_joblib_unless_asked():
    code = (
        "import sys; from toprung.scoring.evaluate import evaluate;"
        f"evaluate({QRELS!r}, {RUNS!r}, 'RR'); assert 'joblib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_one_worker_imports_nothing_that_starts_others():
    code = (
        "import sys; from toprung.workers import Workers;"
        "Workers().map(abs, [1]); assert 'concurrent.futures' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_processes_that_are_kept_follow_to_another_folder(tmp_path, monkeypatch):
    Workers(count=2).map(abs, [1, 2])  # starts them
    monkeypatch.chdir(tmp_path)
    assert Workers(count=2).map(eval, ["__import__('os').getcwd()"] * 2) == [str(tmp_path)] * 2
