"""Plain, gzip, bzip2 and zstd files, told by content, within limits."""

from __future__ import annotations

import bz2
import gzip
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from toprung.data.formats import content
from toprung.data.formats.content import FED, PIECE, Limits, digest_of, read_content
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, InputError, TooLargeError

Write = Callable[[str, bytes], Path]
Pack = Callable[[bytes], bytes]

TEXT = b"q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 0.25 t\n"
QRELS = Qrels.from_dict({"q1": {"d1": 1}})
PACKERS: dict[str, Pack] = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}
packed = pytest.mark.parametrize("pack", [PACKERS[name] for name in ("gz", "bz2", "zst")], ids=["gz", "bz2", "zst"])
plain_or_packed = pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
DAMAGED = "found a compressed file that cannot be unpacked"
COMPLETE = "expected a complete gzip, bzip2 or zstd file. Copy or download it again."


@plain_or_packed
def test_content_is_what_was_packed(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(TEXT))
    assert bytes(read_content(path)) == TEXT


@pytest.mark.parametrize("name", ["a.run.gz", "a.run.bz2", "a.run.zst", "a.parquet", "a"])
@plain_or_packed
def test_the_name_decides_nothing_about_compression(write: Write, pack: Pack, name: str) -> None:
    assert bytes(read_content(write(name, pack(TEXT)))) == TEXT


@packed
def test_a_file_packed_in_several_parts_is_read_to_its_end(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(b"one ") + pack(b"") + pack(b"two ") + pack(b"three"))
    assert bytes(read_content(path)) == b"one two three"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_a_file_of_very_many_empty_parts_is_refused_before_they_are_unpacked(write: Write, pack: Pack) -> None:
    """Each takes time and holds nothing: 900,000 of them kept a server busy for more than a minute."""
    path = write("a.run", pack(TEXT) + pack(b"") * 10_000)
    with pytest.raises(FormatError) as caught:
        read_content(path)
    assert str(caught.value) == (
        f"{path}: found more than 10,000 packed parts that hold 35 bytes together; expected parts of 256 bytes or "
        "more. Unpack it, and pack it again as a whole: zcat or bzcat, then gzip."
    )


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_parts_may_be_as_many_as_the_bytes_they_hold_allow(write: Write, pack: Pack) -> None:
    """As bgzip and appending programs write them: blocks of some size, and an empty one at the end of each file."""
    block = pack(b"q" * 256)
    path = write("a.run", block * 11_000 + pack(b""))
    assert len(read_content(path)) == 256 * 11_000


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_zeros_between_and_behind_parts_are_padding(write: Write, pack: Pack) -> None:
    """As tapes and some file systems leave them."""
    path = write("a.run", pack(b"one ") + bytes(FED) + pack(b"two") + bytes(3))
    assert bytes(read_content(path)) == b"one two"


def test_very_many_zstd_frames_cost_no_more_than_their_bytes(write: Write) -> None:
    """A frame takes 0.1 µs, so that 900,000 need no limit: it is a hang of minutes that this would show."""
    path = write("a.zst", zstandard.compress(TEXT) + zstandard.compress(b"") * 900_000)
    started = time.process_time()
    assert bytes(read_content(path)) == TEXT
    assert time.process_time() - started < 20


def test_zstd_frames_of_unknown_size_are_read(write: Write) -> None:
    compressor = zstandard.ZstdCompressor().compressobj()
    frame = compressor.compress(TEXT) + compressor.flush()
    assert bytes(read_content(write("a.zst", frame + frame))) == TEXT + TEXT


SKIPPABLE_FRAME = b"\x50\x2a\x4d\x18\x04\x00\x00\x00\x00\x00\x00\x00"


def test_a_skippable_zstd_frame_at_the_end_is_skipped(write: Write) -> None:
    assert bytes(read_content(write("a.zst", zstandard.compress(TEXT) + SKIPPABLE_FRAME))) == TEXT


def test_a_skippable_zstd_frame_at_the_start_is_skipped(write: Write) -> None:
    # pzstd writes one before every frame.
    assert bytes(read_content(write("a.zst", SKIPPABLE_FRAME + zstandard.compress(TEXT)))) == TEXT


@plain_or_packed
def test_a_byte_order_mark_is_left_out(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(b"\xef\xbb\xbf" + TEXT))
    assert bytes(read_content(path)) == TEXT


def test_only_one_byte_order_mark_is_left_out(write: Write) -> None:
    assert bytes(read_content(write("a.run", b"\xef\xbb\xbf" * 2))) == b"\xef\xbb\xbf"


@plain_or_packed
def test_an_empty_file_has_empty_content(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(b""))
    assert bytes(read_content(path)) == b""


@plain_or_packed
@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"\n \t\n\n", b"  "])
def test_blank_lines_at_the_end_are_left_out(write: Write, pack: Pack, blank: bytes) -> None:
    assert bytes(read_content(write("a.run", pack(TEXT + blank)))) == TEXT


@plain_or_packed
def test_blanks_behind_the_last_column_stay_as_do_blank_lines_before_it(write: Write, pack: Pack) -> None:
    text = b"\nq1 Q0 d1 1 0.5 t\n\nq1 Q0 d2 2 0.4 t \t"
    assert bytes(read_content(write("a.run", pack(text)))) == text
    assert bytes(read_content(write("a.run", pack(text + b"\n\n")))) == text + b"\n"


@plain_or_packed
def test_more_blank_lines_than_are_read_at_once_are_left_out(write: Write, pack: Pack) -> None:
    assert bytes(read_content(write("a.run", pack(TEXT + b"\n" * (PIECE + 3))), Limits(max_ratio=1e9))) == TEXT


@plain_or_packed
def test_a_file_of_blank_lines_is_empty(write: Write, pack: Pack) -> None:
    assert bytes(read_content(write("a.run", pack(b"\n \n")))) == b""


@pytest.mark.parametrize("start", [b"BZh Q0 d1 1 0.5 t\n", b"BZh9 Q0 d1 1 0.5 t\n", b"BZ Q0 d1 1 0.5 t\n"])
def test_text_that_begins_like_bzip2_is_still_text(write: Write, start: bytes) -> None:
    assert bytes(read_content(write("a.run", start))) == start


def long_text() -> bytes:
    """Lines that do not pack well, so that half of the packed bytes hold about half of the lines."""
    return b"".join(b"q1 Q0 d%d 1 %d.5 t\n" % (i, i * 7919 % 10007) for i in range(20_000))


@packed
@pytest.mark.parametrize("kept", [0.5, 0.999], ids=["half", "all but the end"])
def test_a_packed_file_that_was_cut_short_is_refused(write: Write, pack: Pack, kept: float) -> None:
    whole = pack(long_text())
    path = write("a.run", whole[: int(len(whole) * kept)])
    with pytest.raises(FormatError) as caught:
        read_content(path)
    assert str(caught.value).startswith(f"{path}: {DAMAGED} (")
    assert str(caught.value).endswith(f"); {COMPLETE}")


@packed
def test_a_short_packed_file_that_was_cut_is_refused_when_its_format_is_told(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(TEXT)[:-6])
    for read in (read_run, lambda path: place_file(path, QRELS)):
        with pytest.raises(FormatError, match=DAMAGED):
            read(path)


@packed
def test_a_packed_file_cut_to_its_first_bytes_is_refused(write: Write, pack: Pack) -> None:
    with pytest.raises(FormatError, match=DAMAGED):
        read_content(write("a.run", pack(TEXT)[:10]))


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, bz2.compress, zstandard.ZstdCompressor(write_checksum=True).compress],
    ids=["gz", "bz2", "zst"],
)
def test_a_packed_file_with_a_flipped_byte_is_refused(write: Write, pack: Pack) -> None:
    damaged = bytearray(pack(long_text()))
    damaged[len(damaged) // 2] ^= 0xFF
    with pytest.raises(FormatError, match=DAMAGED):
        read_content(write("a.run", bytes(damaged)))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gz", "zst"])
def test_garbage_behind_the_packed_content_is_refused(write: Write, pack: Pack) -> None:
    with pytest.raises(FormatError, match=DAMAGED):
        read_content(write("a.run", pack(TEXT) + b"garbage"))


@plain_or_packed
def test_a_file_over_the_size_cap_is_refused(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(TEXT))
    with pytest.raises(TooLargeError) as caught:
        read_content(path, Limits(max_bytes=len(TEXT) - 1))
    assert str(caught.value) == (
        f"{path}: found more than 34 bytes; expected a file within the size cap. "
        "Give a higher cap (max_bytes, --max-bytes) if the file is meant to be this large."
    )


@plain_or_packed
def test_a_file_exactly_at_the_size_cap_is_read(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(TEXT))
    assert bytes(read_content(path, Limits(max_bytes=len(TEXT)))) == TEXT


MEGABYTE = (TEXT * (1_000_000 // len(TEXT) + 1))[:1_000_000]


@pytest.fixture(params=["gz", "bz2", "zst"])
def bomb(request: pytest.FixtureRequest, write: Write) -> Path:
    """A hundred megabytes of repeated lines, packed to a few ten thousand bytes."""
    return write("bomb.run", PACKERS[request.param](MEGABYTE) * 100)


def test_a_bomb_is_refused_for_its_ratio(bomb: Path) -> None:
    size = bomb.stat().st_size
    assert size < 500_000
    with pytest.raises(TooLargeError) as caught:
        read_content(bomb)
    assert str(caught.value) == (
        f"{bomb}: found {size:,} packed bytes that unpack to more than 200 times as many; "
        "expected a compressed run or label file. Unpack it yourself and look at it before you use it."
    )


def test_a_bomb_is_refused_by_every_reader(bomb: Path) -> None:
    for read in (read_run, lambda path: place_file(path, QRELS)):
        with pytest.raises(TooLargeError, match="more than 200 times as many"):
            read(bomb)


def test_a_bomb_never_fills_the_memory(bomb: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError):
            read_content(bomb, Limits(max_bytes=2_000_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50_000_000, "it unpacks to 100 million bytes"


def test_a_higher_ratio_lets_a_repetitive_file_through(write: Write) -> None:
    path = write("a.gz", gzip.compress(MEGABYTE) * 20)
    assert len(read_content(path, Limits(max_ratio=2000.0))) == 20_000_000


def test_a_small_file_may_unpack_a_thousandfold(write: Write) -> None:
    content = gzip.compress(MEGABYTE)
    assert len(MEGABYTE) > 200 * len(content)
    assert bytes(read_content(write("a.gz", content))) == MEGABYTE


@plain_or_packed
def test_a_line_over_the_cap_is_refused_wherever_it_stands(write: Write, pack: Pack) -> None:
    for text in (TEXT + b"x" * 20, b"x" * 20 + b"\n" + TEXT, TEXT + b"x" * 20 + b"\n" + TEXT):
        with pytest.raises(TooLargeError, match="found a line of more than 19 bytes; expected one document"):
            read_content(write("a.run", pack(text)), Limits(max_line_bytes=19))


@plain_or_packed
def test_lines_up_to_the_cap_are_read(write: Write, pack: Pack) -> None:
    path = write("a.run", pack(TEXT + b"x" * 18))  # the second line of the text has 18 bytes
    assert bytes(read_content(path, Limits(max_line_bytes=18))) == TEXT + b"x" * 18


def test_a_long_line_is_found_across_the_pieces_it_is_read_in(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.data.formats.content.PIECE", 7)
    path = write("a.gz", gzip.compress(b"short\n" * 5 + b"x" * 20 + b"\nshort\n"))
    with pytest.raises(TooLargeError, match="a line of more than 19 bytes"):
        read_content(path, Limits(max_line_bytes=19))
    assert len(read_content(path, Limits(max_line_bytes=20))) == 57


def test_only_what_is_read_as_parquet_has_no_lines(write: Write) -> None:
    limits = Limits(max_line_bytes=10)
    assert len(read_content(write("a.parquet", b"PAR1\x15" + bytes(20)), limits)) == 25
    with pytest.raises(TooLargeError, match="a line of more than 10 bytes"):
        read_content(write("a.run", b"PAR1" + b"x" * 20), limits)


def test_the_digest_is_of_the_bytes_on_disk(write: Write) -> None:
    assert digest_of(write("a", b"abc")) == ("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")


@pytest.fixture
def through_a_pipe() -> Iterator[Callable[[bytes], str]]:
    """The path of a pipe that bytes come out of, as the shell's ``<(zcat run.gz)`` makes."""
    if not Path("/dev/fd").is_dir():
        pytest.skip("PIPES ARE NOT TESTED: no /dev/fd on this system")
    opened: list[tuple[int, threading.Thread]] = []

    def pipe(content: bytes) -> str:
        read_end, write_end = os.pipe()
        writer = threading.Thread(target=pour, args=(write_end, content))
        writer.start()
        opened.append((read_end, writer))
        return f"/dev/fd/{read_end}"

    yield pipe
    for read_end, writer in opened:
        os.close(read_end)
        writer.join()


def pour(write_end: int, content: bytes) -> None:
    try:
        with os.fdopen(write_end, "wb") as file:
            file.write(content)
    except BrokenPipeError:
        pass  # the reader stopped early, which its own test judges


@plain_or_packed
def test_a_pipe_is_read_to_its_end(through_a_pipe: Callable[[bytes], str], pack: Pack) -> None:
    assert bytes(read_content(through_a_pipe(pack(long_text())))) == long_text()


@pytest.mark.parametrize("max_bytes", [1, 1000])
def test_a_pipe_over_the_size_cap_is_refused(through_a_pipe: Callable[[bytes], str], max_bytes: int) -> None:
    with pytest.raises(TooLargeError, match=f"found more than {max_bytes:,} bytes"):
        read_content(through_a_pipe(long_text()), Limits(max_bytes=max_bytes))


@plain_or_packed
def test_recognising_a_run_from_a_pipe_loses_none_of_it(through_a_pipe: Callable[[bytes], str], pack: Pack) -> None:
    assert len(read_run(through_a_pipe(pack(TEXT)))) == 2
    assert place_file(through_a_pipe(pack(TEXT)), QRELS).n_rows == 2


def test_a_pipe_may_take_half_of_the_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(content, "_half_of_memory", lambda: 1000)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(TEXT * 50), daemon=True)
    writer.start()
    with pytest.raises(TooLargeError, match="found more than 1,000 bytes"):
        content.read_content(tmp_path / "pipe")
    writer.join()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
@pytest.mark.parametrize("command", ["evaluate {0} good.run", "evaluate qrels.txt {0}", "compare --scores {0}"])
@pytest.mark.parametrize("place", ["/dev/zero", "/dev/urandom", "- < /dev/zero", "<(cat /dev/zero)"])
def test_what_never_ends_is_refused_in_little_memory(tmp_path: Path, command: str, place: str) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\n")
    (tmp_path / "good.run").write_text("q1 Q0 a 1 2 t\n")
    toprung = Path(sys.executable).with_name("toprung")
    line = f"ulimit -v 4000000; {toprung} {command.format(place)}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("toprung: ")
    assert "found a device; expected a file or a pipe" in done.stderr or "found bytes that are no text" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "PIPE_SECONDS", 0.2)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"found a pipe that nobody wrote to within 0\.2 seconds; expected"):
        content.read_content(tmp_path / "pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_is_written_to_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"q1 0 a 1\n" * 50_000))
    writer.start()
    assert bytes(content.read_content(tmp_path / "pipe")) == b"q1 0 a 1\n" * 50_000
    writer.join()
