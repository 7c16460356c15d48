"""How many may come from one address without an account? Each takes a task, which counts as paid until it is released.

Who throws cookies away, or makes up what a platform calls them, would else be somebody new every second, and hold the
whole budget. Counted by campaign and address, under a digest that lasts an hour and stands beside no judgment: no
address is kept.
"""

from __future__ import annotations

import ipaddress

from allauth.core.internal.httpkit import get_client_ip
from allauth.core.internal.ratelimit import truncate_ip
from django.http import HttpRequest

from toprung.web.core.access.rate_limits import is_within
from toprung.web.core.models.judging import Campaign, CampaignAccess
from toprung.web.services.judging import refusals
from toprung.web.services.judging.identity import digest_for
from toprung.web.services.judging.refusals import TooManyComeError

ACTION = "judge_openly"
"""In the settings of limits."""


def count_who_comes(request: HttpRequest, campaign: Campaign) -> None:
    """Count one more who takes a seat without an account; refuse where too many came from their address.

    What comes from the server's own machine is not counted: all behind a proxy that does not say for whom it asks would
    be one visitor.
    """
    if campaign.access == CampaignAccess.INVITED:
        return
    address = str(get_client_ip(request) or "")
    if _is_own_machine(address):
        return
    key = digest_for(campaign, "address", truncate_ip(address))
    if not is_within(request, ACTION, key=key):
        raise TooManyComeError(refusals.TOO_MANY_COME)


def _is_own_machine(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
