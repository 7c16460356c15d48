import math

import pytest

from toprung.errors import InputError
from toprung.stats.tests.power import minimum_detectable_difference


def test_the_minimum_detectable_difference_of_the_statistics_page():
    assert minimum_detectable_difference(0.58, 5793) == pytest.approx(0.021349, abs=5e-7)
    assert minimum_detectable_difference(0.58, 0) == math.inf


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="sd"):
        minimum_detectable_difference(-1, 10)
    with pytest.raises(InputError, match="power"):
        minimum_detectable_difference(1, 10, power=80)
