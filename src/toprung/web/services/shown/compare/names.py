"""What are the two runs of a comparison called? By name; by their labels where both go by one."""

from __future__ import annotations

from dataclasses import dataclass

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.query.lines import call_runs
from toprung.web.services.shown.naming import with_names


@dataclass(frozen=True, kw_only=True)
class PairNames:
    """Of B and of A, for one person."""

    b_label: str
    a_label: str
    b: str
    a: str

    @classmethod
    def of(cls, viewer: Viewer, pair: RunPair) -> PairNames:
        b, a = call_runs(viewer, pair)
        return cls(b_label=pair.challenger.run_id, a_label=pair.holder.run_id, b=b, a=a)

    def say(self, text: str) -> str:
        """A stored sentence, with the names of both."""
        return with_names(text, {self.b_label: self.b, self.a_label: self.a})
