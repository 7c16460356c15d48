from collections.abc import Buffer, Iterator

def scan(
    data: Buffer,
    columns: int,
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, int, int, int]: ...
def scan_pieces(
    pieces: Iterator[bytes],
    columns: int,
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int]: ...
def scan_columns(
    batches: Iterator[tuple[object, ...]],
    by_rank: bool,
    mixed: bool,
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int]: ...
def scan_dict(
    run: dict[str, dict[str, float]],
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int]: ...
def read(
    data: Buffer,
    columns: int,
    depth: int,
    scores: Buffer,
    ranks: Buffer,
    doc_starts: Buffer,
    docs: Buffer,
    starts: Buffer,
    query_spans: Buffer,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, int, int, int, int, int, int]: ...
def texts(starts: Buffer, data: Buffer, /) -> tuple[object, object]: ...
def count_lines(data: Buffer, /) -> int: ...
def hash_column(stream: object, hashes: Buffer, /) -> None: ...
def hash_packed(data: Buffer, ends: Buffer, hashes: Buffer, /) -> None: ...
def place_stored(
    hashes: Buffer,
    starts: Buffer,
    is_tied: Buffer,
    ranks: Buffer,
    query: Buffer,
    wanted_hashes: Buffer,
    wanted_rows: Buffer,
    wanted_starts: Buffer,
    rank: Buffer,
    tie_first: Buffer,
    tie_last: Buffer,
    retrieved: Buffer,
    /,
) -> None: ...
