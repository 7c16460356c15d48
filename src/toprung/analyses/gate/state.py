"""Which level is the next change held to? What a gate remembers over many pull requests.

Requests that score below their baseline are tested one after the other, each at a level of its own, so that the chance
of any false alarm stays below alpha over all of them together. All of it follows from their p-values, which are kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Floats
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma, OnlineDecision, OnlineTest
from toprung.stats.tests.pair import pair_test


@dataclass(frozen=True, kw_only=True)
class GateRequest:
    """A change that was tested: the digest of its differences, by which it is known again, and its p-value."""

    differences: str
    p: float


@dataclass(frozen=True, kw_only=True)
class GateState:
    """All tests of one measure under one set of labels, in the order in which they came.

    >>> import numpy as np
    >>> state = GateState(measure="RR@10", labels="sha256:0")
    >>> level, state = state.take(np.array([-0.5, 0.25, 0.0]))
    >>> round(level, 6), len(state.requests), round(state.take(np.array([0.5, 0.0, 0.0]))[0], 6)
    (0.002221, 1, 0.001949)
    """

    measure: str
    labels: str
    """The digest of the labels."""
    alpha: float = 0.05
    gamma: Gamma = DEFAULT_GAMMA
    requests: tuple[GateRequest, ...] = ()

    def check(self, *, measure: str | None = None, labels: str | None = None, alpha: float | None = None) -> None:
        """Refuse what is not of this sequence: a level is kept for one measure, one set of labels and one alpha.

        What is None is not known, and not looked at.
        """
        asked = (("measure", self.measure, measure), ("labels", self.labels, labels), ("alpha", self.alpha, alpha))
        for name, own, given in asked:
            if given is not None and own != given:
                raise InputError(
                    f"state: found {name} {given}; expected {own}, as when this state was begun. "
                    "Begin another one for it, in a file of its own."
                )

    def take(self, differences: Floats) -> tuple[float, GateState]:
        """The level for a change, and the state with it: as before where it lost nothing, or was tested before."""
        tested, online = self._replay()
        test, digest = pair_test(differences), _digest(differences)
        if digest in tested:
            return tested[digest].level, self
        if test.favours >= 0:
            return online.next_level, self
        added = GateRequest(differences=digest, p=test.p)
        return online.next_level, replace(self, requests=(*self.requests, added))

    def _replay(self) -> tuple[dict[str, OnlineDecision], OnlineTest]:
        """Every test with the level it was held to, and where the sequence stands."""
        online, tested = OnlineTest(alpha=self.alpha, gamma=self.gamma), {}
        for request in self.requests:
            tested[request.differences], online = online.decide(request.p)
        return tested, online


def _digest(differences: Floats) -> str:
    return f"sha256:{hashlib.sha256(np.ascontiguousarray(differences).tobytes()).hexdigest()}"
