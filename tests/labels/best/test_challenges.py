"""Which first answers of a new run are news?"""

from __future__ import annotations

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.labels.best.challenges import Challenge, find_challenges, join_challengers, join_first_answers
from toprung.labels.best.upkeep import settle_challenges
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

LABELS = Qrels.from_dict({"q": {"A": 1, "B": 0}})


def run_of(**tops: str) -> Run:
    return Run.from_dict({query: {doc: 1.0} for query, doc in tops.items()}, name="new")


def test_a_first_answer_in_no_pool_challenges_each_best_answer() -> None:
    labels = Qrels.from_dict({"q": {"A": 1, "B": 1, "C": 1}})
    found = find_challenges([Pool(query_id="q", items=("A", "B", "C", "D"))], labels, run_of(q="N"))
    [challenge] = found.challenges
    assert challenge == Challenge(query_id="q", challenger="N", best=("A", "B", "C"), run="new")
    assert challenge.pairs() == [Pair("q", "A", "N"), Pair("q", "B", "N"), Pair("q", "C", "N")]


def test_every_query_of_the_labels_is_counted_once() -> None:
    pools = [Pool(query_id=query, items=("A", "B"), sources={"A": ("r",), "B": ("r",)}) for query in "12345"]
    labels = Qrels.from_dict({query: {"A": 1} for query in "123456"} | {"7": {"A": 0}})
    # 1 has the best first, 2 one from the pool, 3 and 4 new ones; 5 is missing, 6 has no pool, 7 no label
    found = find_challenges(pools, labels, run_of(**{"1": "A", "2": "B", "3": "N", "4": "M", "6": "N", "7": "N"}))
    assert [(each.query_id, each.challenger) for each in found.challenges] == [("3", "N"), ("4", "M")]
    assert (found.n_best, found.n_pooled, found.n_missing, found.n_without_pool) == (1, 1, 1, 1)


def test_an_answer_with_the_text_of_a_pooled_one_is_no_challenger() -> None:
    pool = Pool(query_id="q", items=("A", "B"), sources={"A": ("r",), "B": (), "Z": ("s",)}, same_text={"Z": "B"})
    assert find_challenges([pool], LABELS, run_of(q="Z")).n_pooled == 1


def test_a_first_answer_with_the_text_of_a_pooled_one_joins_its_class() -> None:
    pool = Pool(query_id="q", items=("A", "B"), sources={"A": ("r",), "B": ("r",)})
    texts = {"A": "same", "B": "other", "N": "same", "M": "other", "O": "", "P": "new"}
    counts = {}
    for top in "NMOP":
        [joined] = join_first_answers([pool], run_of(q=top), texts, name="new")
        found = find_challenges([joined], LABELS, run_of(q=top))
        counts[top] = (found.n_best, found.n_pooled, len(found.challenges))
    assert counts == {"N": (1, 0, 0), "M": (0, 1, 0), "O": (0, 0, 1), "P": (0, 0, 1)}
    [joined] = join_first_answers([pool], run_of(q="N"), texts, name="new")
    assert settle_challenges(LABELS, [], {}, pools=[joined]).results["q"].best == ("A", "N")
    assert joined.sources_of_class["A"] == ("new", "r")


def test_only_the_highest_grade_is_the_best_known() -> None:
    labels = Qrels.from_dict({"q": {"A": 2, "B": 1, "C": 2}})
    found = find_challenges([Pool(query_id="q", items=("A", "B"))], labels, run_of(q="N"))
    assert found.challenges[0].best == ("A", "C")
    assert found.is_graded
    assert not find_challenges([], LABELS, run_of(q="N")).is_graded


def test_twins_among_the_labels_are_one_best_answer() -> None:
    pool = Pool(query_id="q", items=("A", "B"), same_text={"Z": "A"})
    found = find_challenges([pool], Qrels.from_dict({"q": {"A": 1, "Z": 1}}), run_of(q="N"))
    assert found.challenges[0].best == ("A",)


def test_an_earlier_challenger_stands_for_nearly_the_same_text() -> None:
    pool = Pool(query_id="q", items=("A", "B"))
    earlier = Challenge(query_id="q", challenger="N", best=("A",), run="old")
    texts = {"A": "one", "B": "two", "N": "It is in Rome.", "M": "it is in  Rome", "O": "It is in Lyon."}
    [same] = find_challenges([pool], LABELS, run_of(q="M"), known=[earlier], texts=texts, team="t").challenges
    assert same == Challenge(query_id="q", challenger="N", best=("A",), run="new", team="t", same_text=("M",))
    assert Challenge.from_record(same.to_record()) == same
    [other] = find_challenges([pool], LABELS, run_of(q="O"), known=[earlier], texts=texts).challenges
    assert (other.challenger, other.same_text) == ("O", ())
    # both are labels once the one that stands for both has won
    [joined] = join_challengers([pool], [earlier, same])
    pair = Pair("q", "A", "N")
    won = {pair: PairOutcome(pair=pair, wins_a=0, wins_b=2, ties=0, n=2)}
    assert settle_challenges(LABELS, [same], won, pools=[joined]).results["q"].best == ("N", "M")
    # without texts it is known by now
    [again] = find_challenges([joined], LABELS, run_of(q="M"), known=[earlier, same]).challenges
    assert again.challenger == "N"
