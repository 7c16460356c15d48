"""How does a server sit at the desk of a campaign? One desk a process, kept open: it reads what others added since.

Whatever is done at a desk is one transaction, by one process and one thread of it at a time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from toprung.errors import InputError
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store.judging_records import CampaignRecords

type CampaignDesk = Sitting[CampaignRecords]

MOST_OPEN = 8
"""Desks that a process keeps in memory: the records of ten thousand pairs take some 50 MB."""


@dataclass(eq=False)
class _OpenDesk:
    """A desk of this process, and who may use it now."""

    store: CampaignRecords
    lock: threading.RLock = field(default_factory=threading.RLock)
    sitting: CampaignDesk | None = None
    generation: int = -1

    def catch_up(self) -> CampaignDesk:
        """The desk as it stands; read anew where records were changed."""
        if self.sitting is None or self.generation != self.store.generation:
            self.sitting, self.generation = Sitting(self.store), self.store.generation
        return self.sitting


_open: OrderedDict[str, _OpenDesk] = OrderedDict()
_opening = threading.Lock()


@contextmanager
def at_desk(campaign: Campaign) -> Iterator[CampaignDesk]:
    """Sit at the desk alone: what is written is kept when this is left, or not at all."""
    desk = _find(campaign)
    with desk.lock:
        try:
            with desk.store.alone(durable=True):
                sitting = desk.catch_up()
                with sitting.alone():
                    yield sitting
        except InputError:  # the desk has forgotten what it wrote before the refusal, if anything
            raise
        except BaseException:  # whether it was kept is not known
            desk.sitting = None
            raise


def _find(campaign: Campaign) -> _OpenDesk:
    with _opening:
        found = _open.pop(campaign.key, None) or _OpenDesk(CampaignRecords(campaign))
        _open[campaign.key] = found
        if len(_open) > MOST_OPEN:
            _open.popitem(last=False)
        return found
