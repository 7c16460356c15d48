"""Can these judgments be trusted?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from tests.labels.builders import votes

from toprung.analyses.diagnose.find import diagnose
from toprung.analyses.diagnose.result import ComparedShare, Diagnosis
from toprung.analyses.diagnose.words import say_agreement
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.labels.pools.pool import Pool, pools_of_judgments
from toprung.report.render import OutputFormat, render
from toprung.stats.intervals.proportions import wilson_share

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def figure(found: Diagnosis, what: str, who: str = "people") -> ComparedShare:
    [one] = [each for each in found.figures if each.what == what and each.who == who]
    return one


def has(found: Diagnosis, what: str) -> bool:
    return any(each.what == what for each in found.figures)


def joined(*parts: Judgments) -> Judgments:
    rows: Iterable[Judgment] = (each for part in parts for each in part.rows)
    return Judgments.of(
        Judgment.from_record({**each.to_record(), "judgment_id": str(number)}) for number, each in enumerate(rows)
    )


def test_a_circle_is_counted_beside_fair_coins() -> None:
    circle = votes("q1 a b left\nq1 b c left\nq1 c a left\nq2 a b left\nq2 b c left\nq2 a c left")
    pools = [Pool(query_id=query_id, items=("a", "b", "c")) for query_id in ("q1", "q2")]
    found = figure(diagnose(circle, pools=pools), "queries in a circle")
    assert (found.share.successes, found.share.trials, found.expected) == (1, 2, 0.25)


def test_coins_are_tossed_for_the_same_pools() -> None:
    made = votes(
        "q1 a b left\nq1 b c left\nq1 a c left\n"
        "q2 a b left\nq2 a c left\nq2 a d left\nq2 b c left\nq2 b d left\nq2 c d left\n"
        "q3 a b left"
    )
    pools = [
        Pool(query_id="q1", items=("a", "b", "c")),
        Pool(query_id="q2", items=("a", "b", "c", "d")),
        Pool(query_id="q3", items=("a", "b")),  # two answers cannot go in a circle
        Pool(query_id="q4", items=("a", "b", "c")),  # nobody judged it
    ]
    found = figure(diagnose(made, pools=pools), "queries in a circle")
    assert (found.share.trials, found.expected) == (2, (0.25 + 0.125) / 2)


def test_the_share_of_left_choices_leaves_ties_and_skips_out() -> None:
    made = votes("q1 a b left\nq2 a b left\nq3 a b right\nq4 a b tie\nq5 a b skip\nq6 a b left")
    found = figure(diagnose(made), "left side chosen")
    assert (found.share.successes, found.share.trials) == (3, 4)
    assert not found.suspicion


def test_a_bias_to_the_left_is_said() -> None:
    made = votes("\n".join(f"q{i} a b {'left' if i < 80 else 'right'}" for i in range(100)))
    assert diagnose(made).sentence == "100 votes: people chose the left side 80.0% of the time."


def test_fair_votes_raise_no_suspicion() -> None:
    made = votes("\n".join(f"q{i} a b {'left' if i % 2 else 'right'}" for i in range(100)))
    assert diagnose(made).sentence == "100 votes: nothing here speaks against them, by left side chosen."


def test_too_few_votes_are_not_called_good() -> None:
    made = votes("\n".join(f"q{i} a b {'left' if i % 2 else 'right'}" for i in range(8)))
    assert diagnose(made).sentence == (
        "8 votes: too few to say anything of them: no figure below that could show careless work has n ≥ 20."
    )


def test_agreement_is_put_in_plain_words_and_noisy_votes_are_not_called_good() -> None:
    # of 400 pairs with two votes 220 agree, and sides are even
    lines = []
    for pair in range(400):
        first = "left" if pair % 2 else "right"
        second = first if pair < 220 else {"left": "right", "right": "left"}[first]
        lines += [f"q{pair} a b {first} w1", f"q{pair} a b {second} w2"]
    assert diagnose(votes("\n".join(lines))).sentence == (
        "800 votes: two people agree on 55% of pairs (n = 400): about one vote in three is wrong; at this rate a pair "
        "needs 17 votes for 90%."
    )


@pytest.mark.parametrize("agreeing", range(510, 1001, 5))
def test_the_fraction_of_wrong_votes_is_the_nearest_there_is(agreeing: int) -> None:
    error = (1 - (2 * agreeing / 1000 - 1) ** 0.5) / 2  # of which (1 − e)² + e² agree
    said = say_agreement(wilson_share(agreeing, 1000))
    if error >= 0.45:
        assert "votes hardly tell which answer is better" in said
    elif error < 0.05:
        assert "few votes are wrong" in said
    else:
        [number] = re.findall(r"about one vote in (\w+) is wrong", said)
        one_in = int(number) if number.isdigit() else WORDS.index(number)
        assert abs(1 / one_in - error) <= min(abs(1 / (one_in + step) - error) for step in (-1, 1) if one_in + step > 1)


def test_one_vote_in_eleven_is_not_called_one_in_twenty() -> None:
    # 84% agree: (1 − √0.68) / 2 = 8.8% are wrong, and 1/11 = 9.1%, 1/12 = 8.3%
    assert "about one vote in 11 is wrong" in say_agreement(wilson_share(84, 100))


def test_where_votes_agree_as_coins_do_no_number_of_them_helps() -> None:
    lines = [f"q{pair} a b {side} w{side}" for pair in range(50) for side in ("left", "right")]
    assert "two people agree on 0% of pairs (n = 50), as coins nearly do" in diagnose(votes("\n".join(lines))).sentence


def test_repeated_pairs_agree_or_not_whatever_the_side() -> None:
    """q1: three votes, two of them for a: 1 of 3 pairs of votes agree. q2: both for b. q3: one vote."""
    made = votes("q1 a b left\nq1 b a right\nq1 a b right\nq2 a b right\nq2 b a left\nq3 a b left")
    found = figure(diagnose(made), "repeated pairs agree", "people with people")
    assert (found.share.successes, found.share.trials) == (2, 4)


def test_a_model_stands_beside_people_on_the_same_pairs() -> None:
    """People agree on q1 (1 of 1), not on q2 (0 of 1); the model agrees with 2 of 2, 1 of 2, and on q3 with 0 of 1."""
    people = votes("q1 a b left\nq1 a b left\nq2 a b left\nq2 a b right\nq3 a b left")
    model = votes("q1 a b left llama\nq2 a b left llama\nq3 a b tie llama", kind=AssessorKind.LLM)
    found = diagnose(joined(people, model))
    overall = figure(found, "agrees with people", "llama")
    beside = figure(found, "… on repeated pairs", "llama")
    assert (overall.share.successes, overall.share.trials) == (3, 5)
    assert (beside.share.successes, beside.share.trials, beside.expected) == (3, 4, 0.5)


def test_a_model_is_no_part_of_what_people_agree_on() -> None:
    people, model = votes("q1 a b left"), votes("q1 a b left llama", kind=AssessorKind.LLM)
    assert not has(diagnose(joined(people, model)), "repeated pairs agree")


def test_a_model_that_follows_the_side_is_seen_in_both_orders() -> None:
    answers = [
        {"assessor": "llama", "query_id": query_id, "left": left, "right": right, "choice": choice}
        for query_id, left, right, choice in (
            ("q1", "a", "b", "left"),
            ("q1", "b", "a", "left"),  # follows the side
            ("q2", "a", "b", "left"),
            ("q2", "b", "a", "right"),  # stays with a
            ("q3", "a", "b", "invalid"),
            ("q3", "b", "a", "tie"),
            ("q4", "a", "b", "left"),  # asked once so far
        )
    ]
    found = diagnose(Judgments.of([]), answers=answers)
    assert figure(found, "same with sides swapped", "llama").share.successes == 1
    assert figure(found, "same with sides swapped", "llama").share.trials == 2
    assert figure(found, "invalid answers", "llama").share.successes == 1
    assert figure(found, "left side chosen", "llama").share.trials == 5


def gold(number: int, choice: Choice, **more: object) -> Judgment:
    return Judgment(
        judgment_id=f"gold{number}",
        query_id="g",
        left="good",
        right="bad",
        choice=choice,
        is_gold=True,
        task_id=f"t{number}",
        **more,  # type: ignore[arg-type]
    )


def test_golds_of_voided_work_count_as_they_were_answered() -> None:
    failed = gold(1, Choice.RIGHT)
    rows = [gold(0, Choice.LEFT), failed, gold(2, Choice.SKIP, supersedes="gold1")]
    found = figure(diagnose(Judgments.of(rows), known_golds={Pair.of("g", "good", "bad"): "good"}), "golds passed")
    assert (found.share.successes, found.share.trials) == (1, 2)


def test_skips_are_counted_and_rows_that_take_others_back_are_not() -> None:
    made = votes("q1 a b left\nq2 a b skip\nq3 a b left")
    void = Judgment(judgment_id="v", query_id="q3", left="a", right="b", choice=Choice.SKIP, supersedes="j2")
    found = figure(diagnose(Judgments.of([*made.rows, void])), "pairs skipped")
    assert (found.share.successes, found.share.trials) == (1, 2)


def test_seconds_for_a_pair_are_a_median_and_the_middle_half() -> None:
    rows = [
        Judgment(judgment_id=str(ms), query_id="q", left="a", right="b", choice=Choice.LEFT, ms=1000 * ms)
        for ms in (1, 2, 3, 4, 100)
    ]
    [timing] = diagnose(Judgments.of(rows)).timings
    assert (timing.median, timing.low, timing.high, timing.n) == (3, 2, 4, 5)


def test_without_votes_it_says_so() -> None:
    found = diagnose(Judgments.of([]), remarks=["Mind this."])
    assert found.sentence == "No votes yet: nothing to diagnose."
    assert found.notes == ("Mind this.",)


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    found = diagnose(votes("q1 a b left\nq1 a b right"))
    assert "left side chosen" in render(found, output_format)
    json.dumps(found.to_dict(), allow_nan=False)


def test_random_votes_go_in_circles_as_often_as_coins() -> None:
    rng = np.random.default_rng(5)
    sides = rng.choice(["left", "right"], size=(400, 3)).tolist()
    lines = [
        f"q{q} {x} {y} {side}"
        for q, of_q in enumerate(sides)
        for (x, y), side in zip(("ab", "bc", "ac"), of_q, strict=True)
    ]
    pools = [Pool(query_id=f"q{q}", items=("a", "b", "c")) for q in range(400)]
    found = diagnose(votes("\n".join(lines)), pools=pools)
    assert found.sentence.endswith("not clearly fewer than by fair coins.")


def test_real_repeats_agree_as_often_as_counting_says(shared_data: Path) -> None:
    """Crowd judgments of TREC CAsT 2019: ``topic a b winner`` a line."""
    file = shared_data / "prefs" / "TREC-CAsT-2019.local.pref"
    winners: dict[tuple[str, ...], list[str]] = {}
    for line in file.read_text().splitlines():
        topic, a, b, winner = line.split()
        winners.setdefault((topic, *sorted((a, b))), []).append(winner)
    twice = [each for each in winners.values() if len(each) > 1]
    both = [(one, other) for each in twice for n, one in enumerate(each) for other in each[n + 1 :]]
    made = read_judgments(file).judgments
    found = figure(diagnose(made, pools=pools_of_judgments(made)), "repeated pairs agree", "people with people")
    assert (found.share.successes, found.share.trials) == (sum(x == y for x, y in both), len(both)) == (39, 43)


def test_sides_of_files_made_elsewhere_are_not_counted() -> None:
    made = votes("q1 a b left\nq2 a b left", kind=AssessorKind.IMPORT)
    assert not has(diagnose(made), "left side chosen")


def test_people_who_agree_no_more_than_coins_are_told_of_however_few() -> None:
    made = votes("q a b left x\nq a b right y\nr a b left x\nr a b right y\ns a b left x\ns a b left y")
    assert (
        "people agree on repeated pairs in 33.3%, not clearly more than coins would (50.0%)" in diagnose(made).sentence
    )


def rounds(n: int, *, is_circle: bool = True) -> tuple[Judgments, list[Pool]]:
    last = "c a" if is_circle else "a c"
    made = votes("\n".join(f"q{i} a b left\nq{i} b c left\nq{i} {last} left" for i in range(n)))
    return made, [Pool(query_id=f"q{i}", items=("a", "b", "c")) for i in range(n)]


@pytest.mark.parametrize(("n", "is_circle", "is_told"), [(20, True, True), (19, True, False), (20, False, False)])
def test_circles_are_told_of_from_twenty_queries(n: int, is_circle: bool, is_told: bool) -> None:
    made, pools = rounds(n, is_circle=is_circle)
    assert bool(figure(diagnose(made, pools=pools), "queries in a circle").suspicion) == is_told


def test_queries_with_an_even_split_are_no_circles() -> None:
    made = votes("\n".join(f"q{i} a b tie\nq{i} b c left\nq{i} a c left" for i in range(30)))
    circle, [pool] = votes("p a b left\np b c left\np c a left"), [Pool(query_id="p", items=("a", "b", "c"))]
    pools = rounds(30)[1]
    found = diagnose(joined(made, circle), pools=[*pools, pool])
    share = figure(found, "queries in a circle").share
    assert (share.successes, share.trials) == (1, 1)
    assert any("coins cannot tie: 30 queries with an even split." in note for note in found.notes)
    without = diagnose(made, pools=pools)
    assert figure(without, "queries in a circle").share.trials == 0
    assert "circle" not in without.sentence
    json.dumps(without.to_dict(), allow_nan=False)
    assert render(without, OutputFormat.TABLE)


def test_votes_on_an_item_with_the_same_text_close_a_circle() -> None:
    made = votes("q a b left\nq b c left\nq c twin left")
    pools = [Pool(query_id="q", items=("a", "b", "c"), same_text={"twin": "a"})]
    assert figure(diagnose(made, pools=pools), "queries in a circle").share.successes == 1


def test_agreement_stands_beside_that_of_votes_at_random() -> None:
    """Of twelve votes on repeated pairs a third are for neither: 1/9 + 4/9 / 2. The single vote does not count."""
    pairs = ["tie tie", "tie left", "tie left", "left left", "right left", "right right"]
    made = votes("\n".join(f"q{i} a b {c}" for i, each in enumerate(pairs) for c in each.split()) + "\np a b tie")
    found = figure(diagnose(made), "repeated pairs agree", "people with people")
    assert (found.share.successes, found.share.trials) == (3, 6)
    assert (found.beside, found.expected) == ("coins", pytest.approx(1 / 3))


def test_a_models_chance_to_agree_takes_both_shares_of_ties() -> None:
    people = votes("q1 a b left\nq2 a b tie")
    model = votes("q1 a b left llama\nq2 a b left llama", kind=AssessorKind.LLM)
    found = figure(diagnose(joined(people, model)), "agrees with people", "llama")
    assert found.expected == pytest.approx(0.5 * 0 + 0.5 * 1 / 2)


@pytest.mark.parametrize("with_ties", [False, True])
def test_random_votes_are_told_of_with_ties_or_without(with_ties: bool) -> None:
    rng = np.random.default_rng(3)
    choices = rng.choice(["left", "right", "tie"] if with_ties else ["left", "right"], size=(200, 2)).tolist()
    made = votes("\n".join(f"q{i} a b {choice}" for i, both in enumerate(choices) for choice in both))
    assert "people agree on repeated pairs in" in diagnose(made).sentence


def test_votes_that_agree_more_than_at_random_are_not_told_of_though_less_than_half_agree() -> None:
    """A third each for left, right and neither agree by chance in 1/3; these do in 45%."""
    kinds = ("left", "right", "tie")
    both = [(kinds[i % 3], kinds[(i // 3 + (i % 20 >= 9)) % 3] if i % 20 >= 9 else kinds[i % 3]) for i in range(600)]
    made = votes("\n".join(f"q{i} {'ab'[i % 2]} {'ba'[i % 2]} {c}" for i, two in enumerate(both) for c in two))
    found = figure(diagnose(made), "repeated pairs agree", "people with people")
    assert found.expected < found.share.low
    assert not found.suspicion


def test_many_votes_on_one_pair_are_counted_not_listed() -> None:
    """600 for a, 400 for b: 600·599/2 + 400·399/2 of 1,000·999/2."""
    made = votes("\n".join(["q a b left"] * 600 + ["q a b right"] * 400))
    share = figure(diagnose(made), "repeated pairs agree", "people with people").share
    assert (share.successes, share.trials) == (179_700 + 79_800, 499_500)


@pytest.mark.parametrize(("n", "n_passed", "is_told"), [(20, 12, True), (19, 11, False), (20, 20, False)])
def test_golds_passed_no_more_than_by_a_coin_are_told_of_from_twenty(n: int, n_passed: int, is_told: bool) -> None:
    rows = [gold(i, Choice.LEFT if i < n_passed else Choice.RIGHT) for i in range(n)]
    found = figure(diagnose(Judgments.of(rows), known_golds={Pair.of("g", "good", "bad"): "good"}), "golds passed")
    assert bool(found.suspicion) == is_told


@pytest.mark.parametrize(("choice", "is_told"), [("right", True), ("left", False)])
def test_a_model_that_agrees_less_than_people_do_is_told_of(choice: str, is_told: bool) -> None:
    people = votes("\n".join(f"q{i} a b left\nq{i} a b left" for i in range(30)))
    model = votes("\n".join(f"q{i} a b {choice} llama" for i in range(30)), kind=AssessorKind.LLM)
    found = figure(diagnose(joined(people, model)), "… on repeated pairs", "llama")
    assert bool(found.suspicion) == is_told
