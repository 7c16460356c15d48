from collections.abc import Buffer, Iterator

def scan(
    data: Buffer,
    columns: int,
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, int, int, int]: ...
def scan_part(
    data: Buffer,
    columns: int,
    float32_ties: bool,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, bytes]: ...
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
def note_queries(data: Buffer, columns: int, /) -> tuple[int, bytes]: ...
def read_pieces(
    pieces: Iterator[bytes],
    columns: int,
    depth: int,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, tuple[bytes, bytes, bytes, bytes], bytes, bytes, bytes]: ...
def hash_pieces(
    pieces: Iterator[bytes],
    columns: int,
    depth: int,
    /,
    *wanted_and_places: Buffer,
) -> tuple[int, int, int, int, tuple[bytes], bytes, bytes, bytes]: ...
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
def unpack(codec: int, packed: Buffer, unpacked: Buffer, /) -> bool: ...
def count_present(levels: Buffer, n: int, /) -> int: ...
def page_texts(page: Buffer, are_differences: bool, number: int, views: Buffer, /) -> bool: ...
def page_numbers(
    page: Buffer, are_differences: bool, kind: int, is_unsigned: bool, as_double: bool, numbers: Buffer, /
) -> bool: ...
def pick(page: Buffer, dictionary: Buffer, are_texts: bool, values: Buffer, /) -> int: ...
def number_texts(numbers: Buffer, is_unsigned: bool, room: Buffer, views: Buffer, /) -> bool: ...
def page_array(
    page: tuple[Buffer, Buffer, Buffer, int, int], are_texts: bool, are_doubles: bool, /
) -> tuple[object, object]: ...
