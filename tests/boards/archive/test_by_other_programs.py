"""A bundle can be checked without Toprung: OpenSSL verifies its signature, and its fingerprint is that of the key."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from tests.boards.archive.small_bundle import KEY, make_bundle, store

OPENSSL = shutil.which("openssl")


def ask_openssl(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([str(OPENSSL), *map(str, arguments)], capture_output=True, timeout=300, check=False)


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    if OPENSSL is None:
        pytest.skip("NO OPENSSL on this machine: the signature was not checked by another program")
    with tarfile.open(store(make_bundle(), tmp_path)) as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    folder = tmp_path / "unpacked"
    said = json.loads((folder / "signature.json").read_text())
    (folder / "key.pem").write_text(said["public_key"])
    (folder / "signature.bin").write_bytes(base64.b64decode(said["signature"]))
    return folder


def verify(folder: Path) -> subprocess.CompletedProcess[bytes]:
    files = ("-in", folder / "manifest.json", "-sigfile", folder / "signature.bin")
    return ask_openssl("pkeyutl", "-verify", "-pubin", "-inkey", folder / "key.pem", "-rawin", *files)


def test_openssl_verifies_the_signature(unpacked: Path) -> None:
    assert verify(unpacked).stdout == b"Signature Verified Successfully\n"


def test_openssl_finds_a_changed_manifest(unpacked: Path) -> None:
    path = unpacked / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b"Small board", b"Large board"))
    assert verify(unpacked).returncode != 0


def test_the_fingerprint_is_the_digest_of_the_key(unpacked: Path) -> None:
    der = ask_openssl("pkey", "-pubin", "-in", unpacked / "key.pem", "-outform", "DER").stdout
    assert hashlib.sha256(der[-32:]).hexdigest() == KEY.fingerprint


def test_it_unpacks_for_its_owner_alone(unpacked: Path) -> None:
    """Hidden labels may be in it."""
    assert {path.stat().st_mode & 0o077 for path in unpacked.rglob("*.jsonl")} == {0}
