import math

import numpy as np
import pytest
from scipy import stats

from toprung.errors import InputError
from toprung.stats.power import equivalence_test, minimum_detectable_difference


def test_the_minimum_detectable_difference_of_the_statistics_page():
    assert minimum_detectable_difference(0.58, 5793) == pytest.approx(0.021349, abs=5e-7)
    assert minimum_detectable_difference(0.58, 0) == math.inf


def test_the_equivalence_of_the_statistics_page():
    d = np.array([0.01, -0.01] * 50)
    assert equivalence_test(np.zeros(100), d, margin=0.002).p == pytest.approx(0.024676, abs=5e-7)


def test_equivalence_is_the_larger_of_two_one_sided_t_tests():
    rng = np.random.default_rng(3)
    a, b = rng.random(60), rng.random(60)
    lower = stats.ttest_1samp(b - a, -0.1, alternative="greater").pvalue
    upper = stats.ttest_1samp(b - a, 0.1, alternative="less").pvalue
    assert equivalence_test(a, b, margin=0.1).p == pytest.approx(max(lower, upper), rel=1e-9)
    assert equivalence_test(b, a, margin=0.1).p == pytest.approx(max(lower, upper), rel=1e-9)


def test_equivalence_of_tiny_and_constant_samples():
    assert equivalence_test([], [], margin=0.1).p == 1
    assert equivalence_test([1], [1], margin=0.1).p == 1
    assert equivalence_test([1, 2], [1, 2], margin=0.1).p == 0
    assert equivalence_test([1, 2], [2, 3], margin=0.1).p == 1


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="margin"):
        equivalence_test([1], [1], margin=0)
    with pytest.raises(InputError, match="sd"):
        minimum_detectable_difference(-1, 10)
    with pytest.raises(InputError, match="power"):
        minimum_detectable_difference(1, 10, power=80)
