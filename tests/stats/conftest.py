"""Settings of the tests of statistics: the first use of SciPy is slow, so that no example has a deadline."""

from hypothesis import settings

settings.register_profile("statistics", deadline=None)
settings.load_profile("statistics")
