"""The measures Toprung computes itself, one idea per file. A new one is added to ``NATIVE`` here."""

from __future__ import annotations

from toprung.scoring.measure import Definition
from toprung.scoring.measures.average_precision import AP
from toprung.scoring.measures.count import NumRel, NumRelRet, NumRet
from toprung.scoring.measures.gain import NCG, nDCG
from toprung.scoring.measures.interval import Interval
from toprung.scoring.measures.reciprocal_rank import ESL, RR
from toprung.scoring.measures.share import Judged, P, R, Success
from toprung.scoring.measures.user_model import ERR, RBP

NATIVE: tuple[Definition, ...] = (
    RR,
    ESL,
    nDCG,
    NCG,
    AP,
    P,
    R,
    Success,
    RBP,
    ERR,
    Interval,
    Judged,
    NumRet,
    NumRel,
    NumRelRet,
)
