"""Which addresses may be called that a stranger gave?"""

from __future__ import annotations

import socket
import threading
from ipaddress import ip_network

import pytest

from toprung.net.outward import NotPublicError, find_address, may_be_called

NOT_PUBLIC = (
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1"),
    *("169.254.169.254", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::"),
    *("2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
    *("::127.0.0.1", "::8.8.8.8", "::ffff:0:10.0.0.1", "::ffff:0:8.8.8.8", "fec0::1", "feff::1", "5f00::1"),
    *("3fff::1", "3fff:fff::1", "168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::a83f:8110", "2002:a83f:8110::"),
)
"""This machine, its neighbours, what tells a cloud's machine its keys, documentation, all at once; also inside IPv6."""
PUBLIC = (
    *("93.184.216.34", "8.8.8.8", "168.63.129.17", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"),
    *("2400:cb00::1", "2a00:1450::1", "2001:4860:4860::8888"),
)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_what_is_not_public_is_not_called(address: str) -> None:
    assert not may_be_called(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_is(address: str) -> None:
    assert may_be_called(address)


def test_an_operator_may_allow_networks_of_their_own() -> None:
    own = [ip_network("10.1.0.0/16")]
    assert may_be_called("10.1.2.3", allowed=own)
    assert may_be_called("::ffff:10.1.2.3", allowed=own)
    assert not may_be_called("10.2.2.3", allowed=own)
    assert not may_be_called("::10.1.2.3", allowed=own)


def look_up(*addresses: str) -> object:
    return lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in addresses]


def test_one_address_of_a_name_that_is_not_public_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", look_up("8.8.8.8", "8.8.4.4"))
    assert find_address("example.org", 443, timeout=60) == "8.8.8.8"
    monkeypatch.setattr(socket, "getaddrinfo", look_up("8.8.8.8", "127.0.0.1"))
    with pytest.raises(NotPublicError):
        find_address("example.org", 443, timeout=60)


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f000001", "2130706433", "::1", "a" * 300, ""])
def test_a_name_in_any_spelling_leads_nowhere_inside(host: str) -> None:
    with pytest.raises(NotPublicError):
        find_address(host, 443, timeout=60)


def test_a_name_that_nobody_finds_in_time_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("8.8.8.8", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait() and public)
    with pytest.raises(NotPublicError):
        find_address("slow.example", 443, timeout=0.05)
    answered.set()
