"""Benchmark of the parser, on small dialogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import understanding
from benchmarks.corpora import HELD_OUT_CASINO, by_hash, casino, casino_strategies, negochat
from benchmarks.talk import Dialogue, Formal, Label, Message, TalkError, read_talk
from benchmarks.understanding import Measured, main, measure, pooled_lines, report, share, wilson
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import Interpretation

TALK = """\
game: campsite
seats: A=agent B=human

dialogue: one
A: Hello, how are you?
= talk
B: I take 2 food and 2 water, you get all the firewood.
= offer food 2-1, water 2-1, firewood 0-3
A: No! I want all the food.
= refuse; wish food 3-0
A> food 3-0, water 1-2, firewood 1-2
B: ok
= accept
B+
"""


@pytest.fixture
def talk(tmp_path: Path) -> list[Dialogue]:
    """Dialogue over the campsite game."""
    (tmp_path / "one.txt").write_text(TALK, encoding="utf-8")
    return read_talk(tmp_path / "one.txt")


def read(offer: Offer, *, plain: bool = False) -> Interpretation:
    """Return a confident interpretation with an offer."""
    return Interpretation("2 food", offers=(offer,), sure=0.95, plain=plain)


def food(mine: int, theirs: int) -> Offer:
    """Return a division of the food between A and B."""
    return Offer({"food": Allocation({"agent": mine, "human": theirs}, 3 - mine - theirs)})


def said(meant: Offer, reading: Interpretation) -> Measured:
    """Return a message of A that means an offer, with its interpretation."""
    labels = {label: label == Label.OFFER for label in Label}
    terms = {name: (term,) for name, term in meant.terms}
    return Measured(Message("agent", reading.text, "here", terms, meant, labels), reading, 0.001, 0.00001)


def test_labels_are_read_with_the_units_of_whoever_speaks(talk: list[Dialogue]) -> None:
    greeting, offer, refusal, formal, yes = talk[0].turns

    assert isinstance(greeting, Message)
    assert not greeting.proposes
    assert isinstance(offer, Message)
    assert offer.terms.get("food") == Allocation({"human": 2, "agent": 1})
    assert isinstance(refusal, Message)
    assert refusal.labels[Label.REFUSE]
    assert refusal.labels[Label.WISH]
    assert isinstance(formal, Formal)
    assert isinstance(yes, Message)
    assert yes.terms == formal.offer


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("= offer food 2-2", "at most 3"),
        ("= bid food 2-1", "no label"),
        ("= offer wine 2-1", "no issue"),
        ("A: another message", "needs its label"),
    ],
)
def test_a_mistake_in_a_label_is_told_with_its_line(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(TALK.replace("= talk", line, 1), encoding="utf-8")

    with pytest.raises(TalkError, match=rf"line 6: .*{told}"):
        read_talk(file)


def test_a_reading_is_right_if_it_says_nothing_that_was_not_meant() -> None:
    assert said(food(2, 1), read(food(2, 1))).is_right
    assert not said(food(2, 1), read(food(1, 2))).is_right
    assert not said(food(2, 1), Interpretation("2 food")).is_right


def test_only_the_other_side_and_another_value_are_inversions() -> None:
    job = Offer({"salary": "90,000 USD"})

    assert said(food(2, 1), read(food(1, 2))).inverts
    assert not said(food(2, 1), read(food(3, 0))).inverts
    assert not said(food(2, 1), read(food(2, 1))).inverts
    assert said(job, read(Offer({"salary": "60,000 USD"}))).inverts
    assert not said(food(2, 1), read(job)).inverts


def test_the_report_names_every_figure() -> None:
    some = [
        said(food(2, 1), read(food(2, 1), plain=True)),
        said(food(2, 1), read(food(1, 2))),
        said(food(2, 1), Interpretation("food")),
    ]

    text = "\n".join(report("ours", some))

    assert "ours: 3 messages, 3 offers" in text
    assert "nothing wrong in sure readings: 1/2 = 0.500" in text
    assert "of those that Enter confirms: 1/1 = 1.000" in text
    assert "coverage of offers: 2/3 = 0.667" in text
    assert "silent 1" in text
    assert "inversions in sure readings: 1" in text
    assert "refuse: precision 0/0" in text
    assert "times a bare cut into words" in text
    assert "inversions: 1 of 2 sure readings; at most 0.9055 (95 %)" in "\n".join(pooled_lines(some))
    assert report("empty", []) == ["empty: nothing was said"]


def test_messages_are_read_where_they_were_said(talk: list[Dialogue]) -> None:
    some = measure(talk)

    assert [each.message.text for each in some][1:3] == [
        "I take 2 food and 2 water, you get all the firewood.",
        "No! I want all the food.",
    ]
    assert some[1].is_right
    assert some[3].reading.accepts


def test_the_interval_is_wilson_s() -> None:
    assert wilson(95, 100) == pytest.approx((0.8882, 0.9785), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert share(95, 100) == "95/100 = 0.950 [0.888, 0.978]"


def test_what_is_held_out_follows_from_the_numbers_alone() -> None:
    first = by_hash("understanding", range(500))[:HELD_OUT_CASINO]

    assert first == by_hash("understanding", reversed(range(500)))[:HELD_OUT_CASINO]
    assert set(first) != set(range(HELD_OUT_CASINO))


def casino_dialogue(number: int) -> dict[str, Any]:
    """Return a negotiation in CaSiNo's format."""
    units = {"Food": "3", "Water": "1", "Firewood": "1"}
    left = {"Food": "0", "Water": "2", "Firewood": "2"}
    deal = {"issue2youget": units, "issue2theyget": left}
    return {
        "dialogue_id": number,
        "chat_logs": [
            {"text": "Hello there", "id": "one", "task_data": {}},
            {"text": "Submit-Deal", "id": "two", "task_data": deal},
            {"text": "Accept-Deal", "id": "one", "task_data": {}},
        ],
        "participant_info": {"one": {}, "two": {}},
        "annotations": [["Hello there", "small-talk"]],
    }


def test_the_corpora_are_measured_by_part_and_their_files_may_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "TALK", tmp_path)
    train = [casino_dialogue(n) for n in range(102)]
    (tmp_path / "casino_train.json").write_text(json.dumps(train), encoding="utf-8")
    (tmp_path / "casino_valid.json").write_text(json.dumps([casino_dialogue(200)]), encoding="utf-8")
    turn = {"role": "Employer", "input": "I offer 60,000", "output": [{"Offer": {"Salary": "60,000 USD"}}]}
    (tmp_path / "1.json").write_text(json.dumps({"turns": [turn]}), encoding="utf-8")

    parts = casino(tmp_path)
    missing = main(["--casino", str(tmp_path / "nowhere")])
    told = capsys.readouterr().err

    assert {name: len(some) for name, some in parts.items()} == {
        "validation": 1, "held out": 100, "development": 2
    }  # fmt: skip
    assert isinstance(parts["validation"][0].turns[1], Formal)
    assert casino_strategies(tmp_path)["casino/200/0"] == {"small-talk"}
    (dialogue,) = negochat(tmp_path)["held out"] or negochat(tmp_path)["development"]
    assert isinstance(dialogue.turns[0], Message)
    assert dialogue.turns[0].terms == Offer({"salary": "60,000 USD"})
    assert missing == 1
    assert "casino_train.json" in told


def test_sets_are_printed_one_by_one_and_pooled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("test", "train"):
        (tmp_path / part).mkdir()
        (tmp_path / part / f"{part}_talk.txt").write_text(TALK, encoding="utf-8")
    monkeypatch.setattr(understanding, "TALK", tmp_path)

    codes = main([]), main(["--development"])

    out = capsys.readouterr().out
    assert codes == (0, 0)
    assert "test_talk: 4 messages, 2 offers" in out
    assert "train_talk: 4 messages, 2 offers" in out
    assert "all sets: 4 messages" in out
