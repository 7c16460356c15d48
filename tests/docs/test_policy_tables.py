"""The simulated tables of the how-to are what the commands beside them give."""

from pathlib import Path

import pytest

import toprung as tr
from toprung.analyses.simulate.gains import known_gains
from toprung.boards.disclosure.release import read_release

PAGE = Path(__file__).parents[2] / "docs/howto/choose-policies.md"
SHOWN = ("score", "naive", "measure", "no_harm", "both")


def cells_of(page: Path, heading: str) -> list[list[str]]:
    """The rows of the table whose header begins so."""
    lines = iter(page.read_text().splitlines())
    next(line for line in lines if line.startswith(heading))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


@pytest.mark.slow
def test_the_table_of_boards_where_nothing_is_better_is_what_the_command_gives() -> None:
    found = [
        each
        for each in tr.simulate(improvements=0, attack=0, boards=1000, seed=2021).to_dict()["rules"]
        if each["rule"] in SHOWN
    ]
    expected = [
        f"{percent(each['false_crown_share'])} ({percent(each['false_crown_share_low'])} to "
        f"{percent(each['false_crown_share_high'])})"
        for each in found
    ]
    assert [row[-1] for row in cells_of(PAGE, "| rule | γ | boards with a false crown (95%) |")] == expected


@pytest.mark.slow
def test_the_tables_of_improvements_and_of_releases_are_what_the_command_gives() -> None:
    found = tr.simulate(improvements=2, gains=(0.01, 0.02), boards=1000, seed=2021).to_dict()
    rules = [
        [
            percent(each["false_crown_share"]),
            percent(each["missed_share"]),
            *(percent(of_gain["missed_share"]) for of_gain in each["missed_by_gain"]),
            f"{each['regret']:.4f}",
        ]
        for each in found["rules"]
        if each["rule"] in SHOWN
    ]
    assert [row[2:] for row in cells_of(PAGE, "| rule | γ | boards with a false crown | improvements")] == rules
    releases = [
        f"{each['inflation']:z.3f} ({each['inflation_low']:z.3f} to {each['inflation_high']:z.3f})"
        for each in found["releases"]
    ]
    assert [row[-1] for row in cells_of(PAGE, "| release | too good by |")] == releases


def test_the_table_of_what_a_release_gives_away_is_what_was_simulated() -> None:
    rows = {row[0]: row[2] for row in cells_of(PAGE, "| release | what it shows | an attacker gains")}
    for name, accounts in (("full", 1), ("rounded:3", 1), ("ladder:0.01", 100), ("board-ladder:auto", 100)):
        gains = [
            known_gains(read_release(name), queries, measure="RR").by_accounts[accounts]
            for queries in (200, 1_000, 5_793)
        ]
        said = next(cell for release, cell in rows.items() if f"`{name}`" in release)
        assert said.removeprefix("with 100 accounts ") == " / ".join(f"{gain:.3f}" for gain in gains)
