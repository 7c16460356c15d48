"""Who made this archive? Its manifest is signed with Ed25519; a key is known by its fingerprint.

The signature says that the bytes are those that the holder of a key made. Whose key it is, its fingerprint tells to
those who know it: from the board's page, or from an earlier bundle.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from toprung.boards.archive.json_text import read_object, write_json
from toprung.errors import FormatError, InputError, MissingPackageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "Ed25519"
KEY_BYTES, SIGNATURE_BYTES = 32, 64
SIGNATURE = "signature.json"
# What stands before the 32 bytes of an Ed25519 key in a PEM file (RFC 8410).
_DER = bytes.fromhex("302a300506032b6570032100")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def need_cryptography() -> None:
    if find_spec("cryptography") is None:
        raise MissingPackageError("Found no package cryptography; expected it: pip install 'toprung[web]'.")


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What stands in ``signature.json``: the key that signed, and its signature of the manifest's bytes."""

    public_key: bytes
    signature: bytes

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.public_key)

    def to_bytes(self) -> bytes:
        """Always as long, so that its place in the file is known before there is something to sign."""
        return write_json(
            {
                "algorithm": ALGORITHM,
                "fingerprint": self.fingerprint,
                "public_key": to_pem(self.public_key),
                "signature": base64.b64encode(self.signature).decode(),
            },
            indent=2,
        )

    @classmethod
    def read(cls, data: bytes, *, source: str) -> Signature:
        """Only what `to_bytes` writes: the same signature written in another way is none."""
        said = read_object(data, source=source)
        try:
            lines = str(said["public_key"]).splitlines()
            der = base64.b64decode("".join(lines[1:-1]), validate=True)
            found = cls(public_key=der[len(_DER) :], signature=base64.b64decode(str(said["signature"]), validate=True))
        except (KeyError, ValueError):
            found = None
        if (
            found is None
            or len(found.public_key) != KEY_BYTES
            or len(found.signature) != SIGNATURE_BYTES
            or found.to_bytes() != data
        ):
            raise FormatError(
                source=source, found="another text", expected="an Ed25519 key with its fingerprint and signature"
            )
        return found

    def holds_for(self, signed: bytes) -> bool:
        need_cryptography()
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(self.signature, signed)
        except (InvalidSignature, ValueError):
            return False
        return True


EMPTY_SIGNATURE = Signature(public_key=bytes(KEY_BYTES), signature=bytes(SIGNATURE_BYTES))
"""Holds the place of one."""


class SigningKey:
    """The secret half: 32 bytes drawn at random; it signs, and is never shown."""

    def __init__(self, secret: bytes) -> None:
        need_cryptography()
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if len(secret) != KEY_BYTES:
            raise InputError(f"Found a signing key of {len(secret)} bytes; expected {KEY_BYTES}, drawn at random.")
        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(secret)

    @classmethod
    def draw(cls) -> SigningKey:
        return cls(secrets.token_bytes(KEY_BYTES))

    @property
    def public_key(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.public_key)

    def sign(self, data: bytes) -> Signature:
        return Signature(public_key=self.public_key, signature=self._key.sign(data))

    def __repr__(self) -> str:
        return f"SigningKey({self.fingerprint})"  # never the secret


def fingerprint_of(public_key: bytes) -> str:
    """SHA-256 of the key's 32 bytes, in hexadecimal."""
    return hashlib.sha256(public_key).hexdigest()


def to_pem(public_key: bytes) -> str:
    """The key as other programs read it."""
    return f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(_DER + public_key).decode()}\n-----END PUBLIC KEY-----\n"


def read_fingerprint(text: str) -> str:
    """As people copy it: capitals, blanks and colons do not count."""
    plain = re.sub(r"[\s:]", "", text).lower().removeprefix("sha256")
    if not _FINGERPRINT.fullmatch(plain):
        raise InputError(f"Found '{text[:80]}' as a key's fingerprint; expected 64 hexadecimal digits.")
    return plain
