"""What does an attacker gain under each release? Prints the table that pages and ``toprung simulate`` look up.

python scripts/simulate_attacks.py > src/toprung/analyses/simulate/gains_table.py
"""

from __future__ import annotations

from toprung.analyses.simulate.accounts import worst_gain
from toprung.boards.disclosure.release import Release, read_release

RELEASES = (
    *("full", "rounded:3", "rounded:2", "rounded:1"),
    *("ladder:0.01", "ladder:0.05", "ladder:free"),
    *("board-ladder:0.01", "board-ladder:0.02", "board-ladder:0.05", "board-ladder:auto"),
)
QUERIES = (50, 100, 200, 500, 1_000, 2_000, 5_793, 10_000)
ACCOUNTS = (1, 10, 100)
SPREADS = (0.5, 1.0)
REPEATS = 1
DEFAULT_REPEATS = {50: 8, 100: 8, 200: 12, 500: 8, 1_000: 4, 2_000: 2, 5_793: 2, 10_000: 2}
"""To find the worst strategy and start, of which there are many where the default is attacked; it is tried ten times as
often then. Luck is large where queries are few."""
HEAD = '''"""What did an attacker gain under each release, by 1,000 submissions? By scripts/simulate_attacks.py.

By the spread of the measure (that of RR is ½, that of a measure whose scores are 1 or 0 is 1), release and number of
queries: with 1, 10 and 100 accounts, from wherever the board stands.
"""

from __future__ import annotations

QUERIES = {queries}
ACCOUNTS = {accounts}
GAINS: dict[float, dict[str, dict[int, tuple[float, float, float]]]] = {{'''


def gains_of(release: Release, queries: int, spread: float) -> list[float]:
    repeats = DEFAULT_REPEATS[queries] if release.draws_lots else REPEATS
    is_shared = release.is_of_board or not release.is_ladder  # more accounts are told no more
    found = [
        worst_gain(release, queries=queries, accounts=each, repeats=repeats, spread=spread)
        for each in (ACCOUNTS[:1] if is_shared else ACCOUNTS)
    ]
    return [max(0.0, round(each, 3)) for each in (found * len(ACCOUNTS) if is_shared else found)]


def print_spread(spread: float) -> None:
    print(f"    {spread}: {{")
    for spelling in RELEASES:
        print(f'        "{spelling}": {{', flush=True)
        for queries in QUERIES:
            gains = ", ".join(f"{each:g}" for each in gains_of(read_release(spelling), queries, spread))
            print(f"            {queries:_}: ({gains}),", flush=True)
        print("        },", flush=True)
    print("    },", flush=True)


def main() -> None:
    print(HEAD.format(queries=QUERIES, accounts=ACCOUNTS))
    for spread in SPREADS:
        print_spread(spread)
    print("}")


if __name__ == "__main__":
    main()
