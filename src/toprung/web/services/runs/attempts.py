"""Was this asked before? A sender whose answer was lost asks again under the same key, and is charged once."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from dataclasses import dataclass

from toprung.data.run_card import RunCard
from toprung.errors import InputError
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Submission, Upload

KEY = re.compile(r"[A-Za-z0-9._~-]{8,80}")
KEY_WORDS = "8 to 80 letters, digits or . _ ~ -, drawn at random"


class AttemptReusedError(InputError):
    """Nothing was charged: the key is that of something else."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One wish to submit: its key, and what was asked under it. Without a key each is a wish of its own."""

    key: str
    digest: str

    @classmethod
    def of(cls, key: str, upload: Upload, card: RunCard) -> Attempt:
        asked = json.dumps({"file": upload.pk, **card.to_json()}, sort_keys=True)
        return cls(key=key, digest=f"sha256:{hashlib.sha256(asked.encode()).hexdigest()}")

    def find(self, by: User) -> Submission | None:
        """The run that it became; call it while nobody else can submit for this person."""
        if not self.key:
            return None
        User.objects.select_for_update(no_key=True).get(pk=by.pk)  # the same key may come to two boards at once
        found = Submission.objects.filter(user=by, attempt_key=self.key).first()
        if found is not None and found.attempt_digest != self.digest:
            raise AttemptReusedError(
                f"Found the key of the attempt that became {found.run_id}, with another file or other words; expected "
                "a new key for a new attempt. Nothing was counted."
            )
        return found


def draw_key() -> str:
    return secrets.token_urlsafe(24)


def is_key(text: str) -> bool:
    """Whether it can be one.

    >>> is_key("0b5f9c1e-71d2"), is_key(""), is_key("a b c d e f g h")
    (True, False, False)
    """
    return KEY.fullmatch(text) is not None
