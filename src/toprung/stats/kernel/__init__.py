"""The inner loops of the statistics of all pairs of runs, compiled; without a compiler NumPy gives the same figures."""
