from collections.abc import Buffer

def fit_posteriors(
    starts: Buffer,
    first: Buffer,
    second: Buffer,
    margin: Buffer,
    n: Buffer,
    nodes: Buffer,
    weights: Buffer,
    items: int,
    penalty: float,
    tie_rate: float,
    tolerance: float,
    precision: Buffer,
    shift: Buffer,
    mean: Buffer,
    covariance: Buffer,
    /,
) -> None: ...
def count_best(factor: Buffer, centre: Buffer, points: Buffer, items: int, found: Buffer, /) -> None: ...
