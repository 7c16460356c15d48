import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toprung.errors import InputError
from toprung.stats.tests.corrections import (
    CORRECTIONS,
    correct_benjamini_hochberg,
    correct_bonferroni,
    correct_holm,
    find_correction,
)

p_lists = st.lists(st.floats(0, 1), max_size=40)


def test_values_worked_by_hand():
    p = [0.01, 0.04, 0.03, 0.005]
    assert correct_bonferroni(p) == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert correct_holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert correct_benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@given(p_lists.filter(len))
def test_benjamini_hochberg_equals_scipy(p: list[float]):
    assert correct_benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), rel=1e-12)


@given(p_lists)
@pytest.mark.parametrize("name", CORRECTIONS)
def test_corrected_values_keep_the_order_and_stay_between_raw_and_one(name: str, p: list[float]):
    corrected = find_correction(name)(p)
    assert (np.diff(corrected[np.argsort(p)]) >= 0).all()
    assert (corrected <= 1).all()
    assert (corrected >= np.array(p) * (1 - 1e-12)).all()


@given(p_lists)
def test_bonferroni_is_never_below_holm_nor_holm_below_benjamini_hochberg(p: list[float]):
    slack = 1e-12
    assert (correct_bonferroni(p) >= correct_holm(p) * (1 - slack)).all()
    assert (correct_holm(p) >= correct_benjamini_hochberg(p) * (1 - slack)).all()


def test_what_is_no_p_value_is_refused():
    for bad in ([1.2], [-0.1], [float("nan")], [[0.1]]):
        with pytest.raises(InputError, match="p: found"):
            correct_holm(bad)
    with pytest.raises(InputError, match="'hochberg'"):
        find_correction("hochberg")
