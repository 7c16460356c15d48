from collections.abc import Buffer

def score(
    starts: Buffer,
    grades: Buffer,
    index_of: Buffer,
    rank: Buffer,
    retrieved: Buffer,
    measures: Buffer,
    values: Buffer,
    /,
) -> None: ...
def break_ties(
    starts: Buffer, grades: Buffer, tie_first: Buffer, tie_last: Buffer, best: Buffer, worst: Buffer, /
) -> None: ...
