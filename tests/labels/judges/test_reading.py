"""What did a language model choose?"""

from __future__ import annotations

import pytest

from toprung.data.judgments import Choice
from toprung.labels.judges.reading import LONGEST, read_choice


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("1", Choice.LEFT),
        (" 2.\n", Choice.RIGHT),
        ("0", Choice.TIE),
        ("**1**", Choice.LEFT),
        ("Passage 2", Choice.RIGHT),
        ("Answer: 1", Choice.LEFT),
        ("Final answer: **Passage 2**", Choice.RIGHT),
        ("[2]", Choice.RIGHT),
        ("<think>1 is vague, 2 is not\n</think>\n\n2", Choice.RIGHT),
    ],
)
def test_one_digit_is_an_answer(reply: str, choice: Choice) -> None:
    assert read_choice(reply) is choice


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ('{"choice": 2}', Choice.RIGHT),
        ('{"answer": "1", "reason": "Passage 2 is off topic."}', Choice.LEFT),
        ('{"Winner": "Passage 2", "confidence": 0.9}', Choice.RIGHT),
        ('{"better": "neither"}', Choice.TIE),
        ('{"preference": 0}', Choice.TIE),
        ('{"answer": "Passage 2 is better because it is exact."}', Choice.RIGHT),
        ('```json\n{"choice": 1}\n```', Choice.LEFT),
        ('Here is my judgment:\n\n```json\n{"choice": 1, "passage": 1}\n```', Choice.LEFT),
        ('<think>hm</think>{"verdict": "2"}', Choice.RIGHT),
    ],
)
def test_json_is_an_answer(reply: str, choice: Choice) -> None:
    assert read_choice(reply) is choice


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        '{"choice": 3}',
        '{"choice": true}',
        '{"choice": null}',
        '{"choice": [1]}',
        '{"choice": "1 or 2"}',
        '{"reason": 1}',
        '{"choice": 1, "choice": 2}',
        '{"choice": 1, "winner": "2"}',
        '{"choice": 1',
        '{"choice": 1} {"choice": 2}',
        '```json\n{"choice": 1}\n```\n```json\n{"choice": 2}\n```',
        'Passage 2 is better.\n```json\n{"choice": 1}\n```',
        '{"choice": {"answer": 1}}',
        "[1]\n{",
        '{"a":' * 5000,
    ],
)
def test_json_that_says_nothing_or_two_things_is_invalid(reply: str) -> None:
    assert read_choice(reply) is None


ODD = [
    *(
        "[1]",
        "[[]]",
        "[]",
        "[[[]], 1]",
        '[["choice", 1]]',
        '["choice", 1]',
        '[{"choice": 1}]',
        '{"choice": [["answer", 1]]}',
    ),
    *("1e400", "-0.5", "null", "true", "NaN", "-Infinity", '"choice"', '"\\ud800"', '{"\\ud800": 1}', "9" * 5000),
    *('{"choice": NaN}', '{"choice": 1e400}', '{"choice": -1}', '{"choice": %s}' % ("9" * 4000), '{"choice": {}}'),
    *("[" * 9000, "[" * 9000 + "]" * 9000, '{"choice":' * 1900 + "1" + "}" * 1900),
]


@pytest.mark.parametrize("reply", ODD)
@pytest.mark.parametrize("form", ["```json\n{}\n```", "```{}```", "Here:\n```JSON\n{}\n```\nSo."])
def test_json_that_is_no_object_with_a_choice_is_invalid(reply: str, form: str) -> None:
    assert read_choice(form.replace("{}", reply)) is None


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("Passage 2 is better because it names the year.", Choice.RIGHT),
        ("Passage 1 is better than passage 2.", Choice.LEFT),
        ("**Passage 2** is clearly better, since passage 1 is about another city.", Choice.RIGHT),
        ("The first passage is better.", Choice.LEFT),
        ("Overall, passage one is the better answer.", Choice.LEFT),
        ("I think passage 2 is better because it is not vague.", Choice.RIGHT),
        ("I would choose passage 1.", Choice.LEFT),
        ("The better passage is passage 2.", Choice.RIGHT),
        ("Passage 2 answers the question better.", Choice.RIGHT),
        ("Neither passage is better.", Choice.TIE),
        ("Both passages are equally good.", Choice.TIE),
        ("Passage 1 is long but vague. Passage 2 is exact.\n\nAnswer: 2", Choice.RIGHT),
        ("Passage 2 is better.\n\n2", Choice.RIGHT),
    ],
)
def test_a_plain_sentence_is_an_answer(reply: str, choice: Choice) -> None:
    assert read_choice(reply) is choice


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "3",
        "12",
        "1 2",
        "1 or 2",
        "Both.",
        "I cannot answer.",
        "<think>1",
        "<think>Passage 1 is better.",
        "Passage 1 is not better.",
        "I do not think passage 1 is better.",
        "Passage 1 might be better.",
        "Is passage 1 better?",
        "Passage 1 is better. Wait, passage 2 is better.",
        "Passage 1 is better in style, but passage 2 answers the question.",
        "Passage 1 is better in style.",
        "Passage 1 is better written.",
        "Passage 1 is better if you know the city.",
        "If you want a number, passage 1 is better.",
        "Passage 1 is better; however, it is wrong.",
        "It is hard to say whether passage 1 is better.",
        "One could say that passage 1 is better.",
        "Passage 1 is better or passage 2 is better.",
        "Passage 2 is better because it explains why passage 1 is better.",
        'Passage 2 says "Passage 1 is better".',
        '"Passage 1 is better" is what the second text claims.',
        "Passage 1 is better.\n\nAnswer: 2",
        "Neither is better. Passage 1 is better.",
        "Passage 1 is good. Passage 2 is good.",
        "Passage 3 is better.",
        "The passages differ in two points:\n1.",
        "Reasons:\n1) It is short.\n2)",
        "Passage 12 is better.",
    ],
)
def test_what_is_not_said_plainly_is_invalid(reply: str) -> None:
    assert read_choice(reply) is None


def test_a_long_reply_is_read_quickly() -> None:
    """Nothing in the patterns goes back and forth over a text that somebody made for it."""
    for part in ("passage 1 ", "the the ", "answer: ", "final my ", "i think ", "neither ", "(((", "```json{"):
        assert read_choice(part * (LONGEST // len(part))) is None
    assert read_choice("1" + " " * LONGEST) is None
