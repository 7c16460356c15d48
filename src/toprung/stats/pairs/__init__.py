"""All pairs of many runs at once: tests, power, resamples, split halves."""
