"""Whose methods were used? The publications that a table rests on, each with its entry in BibTeX."""

from __future__ import annotations

from toprung.result import Citation
from toprung.version import __version__

MOGSTAD = Citation(
    key="mogstad2024ranks",
    named="Mogstad et al. 2024",
    bibtex="""@article{mogstad2024ranks,
  author  = {Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel},
  title   = {Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement
             across Countries},
  journal = {The Review of Economic Studies},
  volume  = {91},
  number  = {1},
  pages   = {476--518},
  year    = {2024},
  doi     = {10.1093/restud/rdad006}
}""",
)
ROMANO_WOLF = Citation(
    key="romano2005stepdown",
    named="Romano and Wolf 2005",
    bibtex="""@article{romano2005stepdown,
  author  = {Romano, Joseph P. and Wolf, Michael},
  title   = {Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing},
  journal = {Journal of the American Statistical Association},
  volume  = {100},
  number  = {469},
  pages   = {94--108},
  year    = {2005},
  doi     = {10.1198/016214504000000539}
}""",
)
SMUCKER = Citation(
    key="smucker2007comparison",
    named="Smucker et al. 2007",
    bibtex="""@inproceedings{smucker2007comparison,
  author    = {Smucker, Mark D. and Allan, James and Carterette, Ben},
  title     = {A Comparison of Statistical Significance Tests for Information Retrieval Evaluation},
  booktitle = {Proceedings of the 16th ACM Conference on Information and Knowledge Management (CIKM)},
  pages     = {623--632},
  year      = {2007},
  doi       = {10.1145/1321440.1321528}
}""",
)
IR_MEASURES = Citation(
    key="macavaney2022irmeasures",
    named="MacAvaney et al. 2022",
    bibtex="""@inproceedings{macavaney2022irmeasures,
  author    = {MacAvaney, Sean and Macdonald, Craig and Ounis, Iadh},
  title     = {Streamlining Evaluation with ir-measures},
  booktitle = {Advances in Information Retrieval (ECIR)},
  pages     = {305--310},
  year      = {2022}
}""",
)
TOPRUNG = Citation(
    key="toprung",
    named=f"version {__version__}",
    bibtex=f"""@misc{{toprung,
  author = {{{{The Toprung developers}}}},
  title  = {{Toprung: who really stands on the top rung of a retrieval leaderboard?}},
  note   = {{Software, version {__version__}}}
}}""",
)
