"""What is an assessor called? By a digest that only this server can make, another one in each campaign.

What a platform calls a person is never stored. The same person comes to the same seat of a campaign; two campaigns, or
two exports, cannot be joined.
"""

from __future__ import annotations

import secrets

from django.utils.crypto import salted_hmac

from toprung.web.core.models.judging import Campaign

SALT = "toprung.judging"
LENGTH = 32


def digest_for(campaign: Campaign, kind: str, named: str) -> str:
    """An HMAC by the server's secret of what someone, or a session, is called elsewhere."""
    value = f"{campaign.key}\0{kind}\0{named}"
    return salted_hmac(SALT, value, algorithm="sha256").hexdigest()[:LENGTH]


def forgotten_as(campaign: Campaign, assessor: str) -> str:
    """How somebody is known who was forgotten: whoever has only the records, or an export, cannot find it."""
    return digest_for(campaign, "forgotten", assessor)


def draw_id() -> str:
    """For who comes without a name, and for who is forgotten: it leads to nobody."""
    return secrets.token_hex(LENGTH // 2)
