"""Verify a bundle of a board without Toprung: the signature of its manifest, and the digest of every member."""

import base64
import hashlib
import json
import sys
import tarfile

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

with tarfile.open(sys.argv[1], "r:") as bundle:
    members = iter(bundle)
    manifest = bundle.extractfile(next(members))
    signature = bundle.extractfile(next(members))
    if manifest is None or signature is None:
        sys.exit("no bundle")
    signed, signer = manifest.read(), json.loads(signature.read())
    key = load_pem_public_key(signer["public_key"].encode())
    if not isinstance(key, Ed25519PublicKey):
        sys.exit("another kind of key")
    key.verify(base64.b64decode(signer["signature"]), signed)  # raises InvalidSignature
    print("signed by", hashlib.sha256(key.public_bytes_raw()).hexdigest())

    said = {each["name"]: each["sha256"] for each in json.loads(signed)["members"]}
    for member in members:
        content, digest = bundle.extractfile(member), hashlib.sha256()
        while content is not None and (chunk := content.read(1 << 20)):
            digest.update(chunk)
        if digest.hexdigest() != said.pop(member.name, ""):
            sys.exit(f"{member.name} is not what was signed")
    if said:
        sys.exit(f"missing: {', '.join(said)}")
    print("every member is what was signed")
