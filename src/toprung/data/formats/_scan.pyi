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
