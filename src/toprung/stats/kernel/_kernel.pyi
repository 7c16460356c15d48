from collections.abc import Buffer

def observe_pairs(runs: Buffer, n: int, from_run: int, variance: Buffer, differing: Buffer, /) -> None: ...
def resample_means(runs: Buffer, weights: Buffer, n: int, means: Buffer, /) -> None: ...
def decide_pairs(mean: Buffer, variance: Buffer, usual: float, n: int, marks: Buffer, critical: float, /) -> int: ...
def largest_scaled(
    mean: Buffer,
    resampled: Buffer,
    variance: Buffer,
    usual: float,
    n: int,
    marks: Buffer,
    place: int,
    best: Buffer,
    bound: Buffer,
    where: Buffer,
    /,
) -> float: ...
def relate_runs(runs: int, judged: Buffer, still_open: Buffer, is_better: Buffer, /) -> None: ...
def median_of(values: Buffer, chosen: Buffer, /) -> float: ...
