from __future__ import annotations

from toprung.result import Mark, Table

TABLE = Table(
    header=("run", "AP"),
    rows=(("x", "0.5"), ("longer", "0.25")),
    numeric=frozenset({1}),
    marks={(0, 1): Mark(is_bold=True, raised="ab"), (1, 1): Mark(raised="c")},
)


def test_in_plain_text_a_star_stands_for_bold_and_figures_align_before_their_marks() -> None:
    assert TABLE.to_text().splitlines() == ["run       AP", "x        0.5*ab", "longer  0.25 c"]


def test_a_new_column_keeps_the_marks() -> None:
    assert TABLE.with_column("n", ["1", "2"]).mark(0, 1) == Mark(is_bold=True, raised="ab")


def test_a_cell_without_a_mark_does_not_stand_out() -> None:
    assert TABLE.mark(0, 0) == Mark()
    assert TABLE.marked_columns == {1}
