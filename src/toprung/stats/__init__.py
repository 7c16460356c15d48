"""Which differences are real? Arrays in, findings out: NumPy and SciPy, nothing else.

``tests``
    One pair of runs (``a`` and ``b`` hold one value per query, in the same order), and corrections for many.
``intervals``
    How large, how sure, at what price.
``pairs``
    All pairs of many runs at once: tests, power, resamples, split halves.
``ranks``
    Which place: rank mass and intervals, ties, letters, tiers, and how far two orders agree.
``sequences``
    Decisions one after the other: claims as they come, best of three, sequential tests.
``models``
    How votes, boards and query sets come about.

Everywhere B is compared with A: a positive statistic and direction +1 say that B's values are the larger ones.
SciPy is imported inside functions, for ``scipy.stats`` alone costs 0.6 s.
"""
