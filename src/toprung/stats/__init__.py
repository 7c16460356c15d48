"""Which differences are real? Arrays in, results out: NumPy and SciPy, nothing else.

One pair of runs (``a`` and ``b`` hold one value per query, in the same order)
    ``rank_sum``, ``signed_rank``, ``paired_t``, ``counts`` (sign, McNemar);
    ``effects``, ``fieller`` and ``power`` say how large, at what price, and what could have been seen.
All pairs of many runs
    ``pairwise``, whose answers are in ``pair_results``; it rests on ``difference_bins``, ``difference_sorts``,
    ``pooled_ranks``, ``small_samples`` and ``binomial``.
What many answers mean together
    ``corrections``, ``online``, ``letters``, ``tiers``.

Everywhere B is compared with A: a positive statistic and direction +1 say that B's values are the larger ones.
SciPy is imported inside functions, for ``scipy.stats`` alone costs 0.6 s.
"""
