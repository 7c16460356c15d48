"""Who does the work? Independent pieces of it, in this process, on all cores or on a cluster; the results are the same.

joblib does the spreading. How work is cut into pieces, and the seed of each piece, depend on the input alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from toprung.errors import InputError, MissingPackageError, WorkerLostError
from toprung.records import record

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

LOKY, THREADING, DASK = "loky", "threading", "dask"
FORKING = "multiprocessing"
CONNECT_SECONDS = 10
LEAST_STEPS = 2e9
"""Work of fewer steps (one: a value read, compared or added up, about a nanosecond) stays in the calling process:
a worker takes longer to start."""


@record(kw_only=True)
class Workers:
    """How many workers, and which of joblib's backends starts them.

    One worker is this process. ``count=0`` takes all cores. The backend ``"dask"`` joins the cluster that
    DASK_SCHEDULER_ADDRESS or a current client names, and otherwise starts one on this machine.

    >>> Workers().map(abs, [-1, 2, -3])
    [1, 2, 3]
    """

    count: int = 1
    backend: str = LOKY

    def __post_init__(self) -> None:
        if self.count < 0:
            raise InputError(f"workers: found {self.count}; expected a number from 1, or 0 for all cores.")

    def map[T, R](
        self, work: Callable[[T], R], pieces: Sequence[T], *, on_progress: Callable[[str], None] = lambda _: None
    ) -> list[R]:
        """The result of each piece, in the order of the pieces; progress is told as "3 of 100"."""
        results = []
        with self._start(work, pieces) as stream:
            for result in stream:
                results.append(result)
                on_progress(f"{len(results)} of {len(pieces)}")
        return results

    def if_worth(self, steps: float) -> Workers:
        """These workers, or none but this process where so many steps take less time than a worker to start.

        >>> Workers(count=4).if_worth(1e6).is_here, Workers(count=4).if_worth(1e12).is_here
        (True, False)
        """
        if steps >= LEAST_STEPS:
            return self
        if self.backend not in (LOKY, THREADING, DASK):
            with _use_backend(self.backend, 1):  # an unknown one is refused however small the work
                pass
        return IN_PROCESS

    @property
    def is_here(self) -> bool:
        """Whether all work is done in the calling process, one piece after the other."""
        return self._n_workers == 1 and self.backend in (LOKY, THREADING)

    def threads_for_each(self, n_pieces: int) -> int:
        """How many threads a piece may use, where there are more of them than pieces.

        >>> Workers(count=8, backend=THREADING).threads_for_each(3), Workers(count=8).threads_for_each(3)
        (2, 1)
        """
        return max(1, self._n_workers // max(n_pieces, 1)) if self.backend == THREADING and n_pieces else 1

    @property
    def _n_workers(self) -> int:
        return self.count or os.cpu_count() or 1

    @contextmanager
    def _start[T, R](self, work: Callable[[T], R], pieces: Sequence[T]) -> Iterator[Iterator[R]]:
        n_workers = min(self._n_workers, max(len(pieces), 1))
        if n_workers == 1 and self.backend in (LOKY, THREADING):
            yield map(work, pieces)
        elif self.backend == THREADING:
            with _threads(n_workers) as pool:
                yield pool.map(work, pieces)
        else:
            with _say_lost_workers(n_workers), _use_backend(self.backend, n_workers):
                yield _spread(self._place(work), pieces, n_workers)

    def _place[T, R](self, work: Callable[[T], R]) -> Callable[[T], R]:
        """Loky keeps its processes, and they the folder they were started in; relative paths must mean the same.

        To a cluster, what a partial function holds is sent once.
        """
        if self.backend == LOKY:
            return partial(_work_in, os.getcwd(), work)
        return _send_once(work) if self.backend == DASK and isinstance(work, partial) else work


def _work_in[T, R](folder: str, work: Callable[[T], R], piece: T) -> R:
    os.chdir(folder)
    return work(piece)


@contextmanager
def _threads(n_workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads without joblib, whose import takes half as long as a small evaluation. An error ends what waits."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=n_workers) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _spread[T, R](work: Callable[[T], R], pieces: Sequence[T], n_workers: int) -> Iterator[R]:
    import joblib

    backend, _ = joblib.parallel.get_active_backend()
    return_as = "generator" if backend.supports_return_generator else "list"
    calls = (_call(work, piece) for piece in pieces)
    return iter(joblib.Parallel(n_jobs=n_workers, return_as=return_as)(calls))


def _call(work: Callable[..., Any], piece: object) -> Any:
    """One call for joblib. What a partial function holds is an argument of its own, and may be on the machines."""
    import joblib

    if isinstance(work, partial):
        return joblib.delayed(work.func)(*work.args, piece, **work.keywords)
    return joblib.delayed(work)(piece)


def _send_once[R](work: partial[R]) -> partial[R]:
    """The same function with what it holds on all machines of the cluster, but numbers and names."""
    from distributed import get_client

    client = get_client()

    def send(held: object) -> object:
        if held is None or isinstance(held, str | int | float):
            return held
        return client.scatter([held], broadcast=True, hash=False)[0]  # by hash, one let go might be taken for this

    return partial(work.func, *map(send, work.args), **{name: send(held) for name, held in work.keywords.items()})


@contextmanager
def _say_lost_workers(n_workers: int) -> Iterator[None]:
    from concurrent.futures import BrokenExecutor

    try:
        yield
    except BrokenExecutor:
        raise WorkerLostError(
            f"A worker process was ended from outside, most likely for want of memory; expected all {n_workers} to "
            "stay. Try again with fewer (-j)."
        ) from None


@contextmanager
def _use_backend(name: str, n_workers: int) -> Iterator[None]:
    """Processes on this machine multiply matrices in one thread each; Dask's do unless told otherwise."""
    import joblib

    if name == DASK:
        with _dask_client(n_workers), joblib.parallel_config(backend=DASK):
            yield
        return
    if name == FORKING:
        raise InputError(f"backend: found '{name}', whose forks can hang beside threads; expected loky, which cannot.")
    threads = {"inner_max_num_threads": 1} if name == LOKY else {}
    try:
        chosen = joblib.parallel_config(backend=name, **threads)
    except ValueError:
        raise InputError(
            f"backend: found '{name}'; expected loky, threading, dask, or one that was registered with joblib."
        ) from None
    with chosen:
        yield


def _dask_client(n_workers: int) -> AbstractContextManager[object]:
    """The current client, else the cluster that the environment names, else one on this machine while it is needed."""
    if _has_dask_client():
        return nullcontext()
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    return _join_cluster(address) if address else _local_cluster(n_workers)


def _has_dask_client() -> bool:
    try:
        from distributed import get_client
    except ImportError:
        raise MissingPackageError(
            "--backend dask needs the package distributed: pip install 'toprung[dask]'."
        ) from None
    try:
        get_client()
    except ValueError:
        return False
    return True


def _join_cluster(address: str) -> AbstractContextManager[object]:
    from distributed import Client

    try:
        client: AbstractContextManager[object] = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(
            f"DASK_SCHEDULER_ADDRESS: found {address}, which does not answer ({error}); "
            "expected a running scheduler such as tcp://host:8786."
        ) from None
    return client


@contextmanager
def _local_cluster(n_workers: int) -> Iterator[None]:
    from distributed import Client, LocalCluster

    here = "127.0.0.1"
    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=f"{here}:0", host=here) as cluster,
        Client(cluster),
    ):
        yield


IN_PROCESS = Workers()
