"""A flipped byte anywhere in a bundle is found; so is one that is missing, added, or in another's place."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boards.archive.small_bundle import FILES, KEY, OTHER_KEY, make_bundle, make_rows, sign, store

from toprung.boards.archive.bundle import BUNDLE
from toprung.boards.archive.container import BLOCK, make_header
from toprung.boards.archive.json_text import write_json
from toprung.boards.archive.manifest import MANIFEST
from toprung.boards.archive.reading import read_archive
from toprung.boards.archive.signing import SIGNATURE
from toprung.boards.archive.verifying import verify_bundle
from toprung.errors import FormatError, InputError, ToprungError

WHOLE = make_bundle()


def is_found(data: bytes, folder: Path) -> bool:
    try:
        verify_bundle(store(data, folder))
    except InputError:
        return True
    return False


def test_an_untouched_bundle_is_whole(tmp_path: Path) -> None:
    found = verify_bundle(store(WHOLE, tmp_path))
    assert found.bundle.signature.fingerprint == KEY.fingerprint
    assert found.to_dict()["runs"] == 2
    said = str(found).splitlines()
    assert said[0] == "small.toprung is whole: Small board (small), as it stood on 2026-02-01T12:00:00+00:00."
    assert "3 entries, the chain holds" in said[4]
    assert "hidden ones not included" in said[5]


def test_the_same_board_gives_the_same_bytes() -> None:
    assert make_bundle() == WHOLE


def test_other_programs_read_it_as_a_tar_file() -> None:
    with tarfile.open(fileobj=io.BytesIO(WHOLE)) as tar:
        names = tar.getnames()
        assert names == [MANIFEST, SIGNATURE, *sorted(names[2:])]
        for name, content in FILES.items():
            member = tar.extractfile(name)
            assert member is not None
            assert member.read() == content


def test_a_name_has_the_same_bytes_on_every_machine() -> None:
    code = "from toprung.boards.archive.container import make_header as of; print(of('files/\\xe9', 1).hex())"
    plain = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True).stdout
    assert bytes.fromhex(found) == make_header("files/é", 1)


def test_a_flipped_bit_is_found_at_every_structural_place(tmp_path: Path) -> None:
    """All over a header, the first and last of each content and padding, the signature, the end."""
    with tarfile.open(fileobj=io.BytesIO(WHOLE)) as tar:
        members = tar.getmembers()
    places = set(range(0, BLOCK, 4)) | {len(WHOLE) - 2 * BLOCK, len(WHOLE) - BLOCK, len(WHOLE) - 1}
    for each in members:
        end = each.offset_data + each.size
        places |= {each.offset, each.offset_data - 1, each.offset + 124, each.offset + 148, each.offset + 156}
        places |= {each.offset_data, end - 1, end, end + -end % BLOCK - 1}
    signature = members[1]
    places |= set(range(signature.offset_data, signature.offset_data + signature.size, 2))
    draw = random.Random(1)
    places &= set(range(len(WHOLE)))
    assert [place for place in sorted(places) if not is_found(_flip(WHOLE, place, draw.randrange(8)), tmp_path)] == []


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, len(WHOLE) - 1), bit=st.integers(0, 7))
def test_any_flipped_bit_is_found(place: int, bit: int, tmp_path: Path) -> None:
    assert is_found(_flip(WHOLE, place, bit), tmp_path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(0, len(WHOLE) - 1))
def test_a_bundle_cut_short_is_found(length: int, tmp_path: Path) -> None:
    assert is_found(WHOLE[:length], tmp_path)


@pytest.mark.parametrize("added", [b"\0", b"x", bytes(BLOCK), bytes(10_240)])
def test_bytes_at_the_end_are_found(added: bytes, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="as the manifest says"):
        verify_bundle(store(WHOLE + added, tmp_path))


def test_members_that_changed_places_are_found(tmp_path: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(WHOLE)) as tar:
        members = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    names = list(members)
    names[-1], names[-2] = names[-2], names[-1]
    blocks = [make_header(name, len(members[name])) + _padded(members[name]) for name in names]
    swapped = b"".join(blocks) + bytes(2 * BLOCK)
    assert len(swapped) == len(WHOLE)
    with pytest.raises(FormatError, match="another header"):
        verify_bundle(store(swapped, tmp_path))


def test_the_same_signature_written_otherwise_is_refused(tmp_path: Path) -> None:
    at = WHOLE.index(b'"algorithm": "Ed25519"')
    assert is_found(WHOLE[: at + 11] + b"\t" + WHOLE[at + 12 :], tmp_path)


def test_a_bundle_signed_by_another_is_told_apart(tmp_path: Path) -> None:
    """Whoever signs anew what they changed has another key; its fingerprint is shown, and can be demanded."""
    path = store(make_bundle(key=OTHER_KEY), tmp_path)
    assert verify_bundle(path).bundle.signature.fingerprint == OTHER_KEY.fingerprint
    with pytest.raises(InputError, match=f"found the signature of key {OTHER_KEY.fingerprint}"):
        verify_bundle(path, key=KEY.fingerprint)


@pytest.mark.parametrize("written", [str.upper, lambda key: f"SHA256:{key}", lambda key: f" {key[:32]} {key[32:]}"])
def test_a_fingerprint_is_known_however_it_was_copied(written, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert verify_bundle(store(WHOLE, tmp_path), key=written(KEY.fingerprint)).is_key_demanded


def test_half_a_fingerprint_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected 64 hexadecimal digits"):
        verify_bundle(store(WHOLE, tmp_path), key=KEY.fingerprint[:32])


@pytest.mark.parametrize("data", [b"", b"q1 0 d1 1\n", bytes(4096), b"\xff" * 5000, WHOLE[BLOCK:]])
def test_what_is_no_bundle_is_said_to_be_none(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected a bundle of a board"):
        verify_bundle(store(data, tmp_path))


def test_a_file_that_changes_after_it_was_verified_is_found(tmp_path: Path) -> None:
    path = store(WHOLE, tmp_path)
    bundle = read_archive(path, BUNDLE)
    path.write_bytes(_flip(WHOLE, bundle.manifest.offsets["runs/R1.original"], 0))
    with pytest.raises(FormatError, match="other bytes than before"), bundle.open("runs/R1.original") as file:
        file.read()


def test_without_the_package_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.boards.archive.signing.find_spec", lambda _: None)
    with pytest.raises(ToprungError, match="Found no package cryptography; expected it: pip install"):
        verify_bundle(store(WHOLE, tmp_path))


def test_a_member_that_no_table_names_is_found(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"runs/R9\.original, which no table names"):
        verify_bundle(store(make_bundle(files=FILES | {"runs/R9.original": b"x"}), tmp_path))


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    rows = make_rows()
    contents = {"board.json": write_json({})} | FILES
    with pytest.raises(FormatError, match=r"found no people\.jsonl"):
        verify_bundle(store(sign(contents, rows), tmp_path))


def _flip(data: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1 << bit
    return bytes(changed)


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % BLOCK)
