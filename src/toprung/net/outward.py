"""May an address be called that a stranger gave? Looked up once; only what is public on the internet is called.

Whoever can make a server call out could have it ask its own machine, its neighbours, or the service that tells a
machine of a cloud its keys. So every address of a name must be public, and the call goes to the one that was looked at.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue

type Network = ipaddress.IPv4Network | ipaddress.IPv6Network
type Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Behind which an address of IPv4 stands (RFC 6052)."""


NEVER_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        ("::/96", "::ffff:0:0:0/96", "fec0::/10", "5f00::/16", "3fff::/20", "168.63.129.16/32"),
    )
)
"""Networks that Python's ``is_global`` lets through, wholly or in some versions.

IPv4 addresses written as IPv6 (RFC 4291, RFC 2765), site-local addresses (RFC 3879), segment routing (RFC 9602),
documentation (RFC 9637), and the address at which Azure serves the secrets of a machine.
"""


class NotPublicError(Exception):
    """An address that is not to be called; it says no more, for an answer would map what stands behind the server."""


def find_address(host: str, port: int, *, timeout: float, allowed: Sequence[Network] = ()) -> str:
    """Where to connect for this name; a `NotPublicError` where any of its addresses is neither public nor allowed.

    So is a name that is not found in ``timeout`` seconds.
    """
    addresses = _look_up(host, port, timeout)
    if not addresses or not all(may_be_called(each, allowed=allowed) for each in addresses):
        raise NotPublicError
    return addresses[0]


def _look_up(host: str, port: int, timeout: float) -> list[str]:
    """In a thread that is left behind when the time is up: no resolver can be told to stop."""
    found: SimpleQueue[list[str]] = SimpleQueue()

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            answers = []
        found.put(list(dict.fromkeys(str(each[4][0]) for each in answers)))

    threading.Thread(target=ask, daemon=True).start()
    try:
        return found.get(timeout=timeout)
    except Empty:
        return []


def may_be_called(address: str, *, allowed: Sequence[Network] = ()) -> bool:
    """Whether it is public, or in a network that the operator allows.

    >>> may_be_called("93.184.216.34"), may_be_called("10.0.0.1"), may_be_called("::ffff:127.0.0.1")
    (True, False, False)
    """
    whole = ipaddress.ip_address(address.partition("%")[0])
    return all(
        any(each in network for network in allowed)
        or (each.is_global and not each.is_multicast and not any(each in network for network in NEVER_PUBLIC))
        for each in _all_of(whole)
    )


def _all_of(address: Address) -> Iterator[Address]:
    """The address, or those of IPv4 that it stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64:
        inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    there = [each for each in inner if each is not None]
    yield from there
    if address.ipv4_mapped is None and address not in NAT64:
        yield address
