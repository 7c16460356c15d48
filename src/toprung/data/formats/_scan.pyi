from collections.abc import Buffer

def scan(
    data: Buffer,
    columns: int,
    float32_ties: bool,
    queries: Buffer,
    query_ends: Buffer,
    docs: Buffer,
    doc_ends: Buffer,
    starts: Buffer,
    rank: Buffer,
    tie_first: Buffer,
    tie_last: Buffer,
    retrieved: Buffer,
    rank_32_bit: Buffer,
    /,
) -> tuple[int, int, int, int, int, int, int]: ...
