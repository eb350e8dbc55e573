"""Record of notes and tasks: deeply frozen, and read as copies."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from negoplatform.core.immutable.frozen_json import FrozenJson, copy_json
from negoplatform.core.record.notes_and_tasks import (
    EMPTY_RECORD,
    Task,
    TaskStatus,
    get_state,
    parse_record,
)
from negoplatform.core.record.record_visibility import visible_record
from negoplatform.domain.errors import Refused
from tests.core.record_keeper import seat_reader

STATE: dict[str, Any] = {
    "participant": {"demographics": {"age": 30, "languages": ["de", "en"]}},
    "tasks": [
        {
            "task_id": "t1",
            "timestamp": 1.5,
            "agent_origin": "agent",
            "intent": "propose",
            "status": "pending",
            "metadata": {"issues": ["bananas"]},
        }
    ],
    "deal": {"bananas": {"agreed": {"human": 2}}},
    "annotations": {"insights": ["concedes slowly"]},
    "notes": {"agent": {"plan": [1, 2]}, "human": {"likes": "grain"}},
    "commands": {},
}


def state(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(STATE), **changes}


def task(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(STATE["tasks"][0]), **changes}


# Reading


def test_what_is_read_is_what_was_put_in() -> None:
    assert get_state(parse_record(STATE)) == STATE


def test_changing_what_was_read_changes_nothing() -> None:
    record = parse_record(STATE)
    read = get_state(record)

    read["participant"]["demographics"]["languages"].append("fr")
    read["tasks"][0]["metadata"]["issues"].clear()
    read["tasks"].clear()
    read["notes"]["agent"]["plan"].append(3)
    record.deal["bananas"]["agreed"]["human"] = 4
    record.tasks[0].metadata.to_dict()["issues"].append("wood")

    assert get_state(record) == STATE
    assert record == parse_record(STATE)


def test_changing_what_was_put_in_changes_nothing() -> None:
    given = state()
    record = parse_record(given)

    given["notes"]["agent"]["plan"].append(3)
    given["tasks"][0]["metadata"]["issues"].append("wood")

    assert get_state(record) == STATE


def test_nothing_that_a_record_holds_can_be_changed() -> None:
    record = parse_record(STATE, {"notes/agent": 3}, 3)

    with pytest.raises(FrozenInstanceError):
        record.version = 4  # type: ignore[misc]  # what is tried
    with pytest.raises(AttributeError):
        record.notes._text = "{}"
    with pytest.raises(AttributeError):
        del record.notes._text
    with pytest.raises(TypeError):
        record.notes["agent"] = {}  # type: ignore[index]  # what is tried
    with pytest.raises(FrozenInstanceError):
        record.tasks[0].status = TaskStatus.DONE  # type: ignore[misc]  # what is tried
    assert not hasattr(record.notes, "__dict__")


def test_records_are_equal_when_they_say_the_same() -> None:
    turned = {key: STATE[key] for key in reversed(STATE)}

    assert parse_record(STATE) == parse_record(turned)
    assert parse_record(STATE) != parse_record(state(deal={}))
    assert FrozenJson({"a": 1, "b": {"c": 2, "d": 3}}) == FrozenJson({"b": {"d": 3, "c": 2}, "a": 1})
    assert FrozenJson({"a": 1}) != FrozenJson({"a": True})
    assert FrozenJson({"a": 1}) != FrozenJson({"a": 1.0})


def test_a_record_survives_being_copied_and_sent_to_a_process() -> None:
    record = parse_record(STATE, {"deal": 7}, 7)

    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record


# Shape


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"participant": []}, "participant does not fit: an object"),
        ({"tasks": {}}, "tasks does not fit: a list"),
        ({"notes": {"agent": "words"}}, "notes/agent does not fit: an object"),
        ({"weather": {}}, "weather is not known here"),
        ({"tasks": [task(status="stuck")]}, "tasks/t1/status does not fit: pending, in_progress or done"),
        ({"tasks": [task(timestamp="soon")]}, "tasks/t1/timestamp does not fit: a number"),
        ({"tasks": [task(timestamp=-1)]}, "tasks/t1/timestamp does not fit: a number from 0 up"),
        ({"tasks": [task(intent="")]}, "tasks/t1/intent does not fit: a text that is not empty"),
        ({"tasks": [task(task_id="x" * 201)]}, "a text of at most 200 characters"),
        ({"tasks": [task(mood="good")]}, "tasks/t1/mood is not known here"),
        ({"tasks": [{"task_id": "t1"}]}, "tasks/t1/timestamp is missing"),
        ({"tasks": [task(), task()]}, "two tasks with one task_id"),
    ],
)
def test_what_has_not_the_shape_of_a_record_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        parse_record(state(**changes))


def test_a_record_lacks_no_section() -> None:
    without = state()
    del without["deal"]

    with pytest.raises(Refused, match="deal is missing"):
        parse_record(without)


def test_a_whole_number_of_seconds_is_a_time_too() -> None:
    (read,) = parse_record(state(tasks=[task(timestamp=2)])).tasks

    assert read == Task(
        "t1", 2.0, "agent", "propose", TaskStatus.PENDING, FrozenJson({"issues": ["bananas"]})
    )
    assert type(read.timestamp) is float


# JSON


class LoudText(str):
    """Text whose conversion to text fails."""

    def __str__(self) -> str:
        raise AssertionError("must not be asked")


class Odd:
    """Object whose class pretends to be ``dict``."""

    @property  # type: ignore[misc]  # a lie, on purpose
    def __class__(self) -> type:
        return dict


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"a": {"b": float("nan")}}, "a/b is no finite number"),
        ({"a": float("inf")}, "a is no finite number"),
        ({"a": 2**53 + 1}, "a is a number too large"),
        ({"a": {1}}, "a is no JSON value but of type set"),
        ({"a": Odd()}, "a is no JSON value but of type Odd"),
        ({"a": {1: "x"}}, "A key in a is no text"),
        ({"a": ["half \ud800"]}, "a/0 holds half of a character"),
        ({"\ud800": 1}, "holds half of a character"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(value: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        copy_json(value)


def nested(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_twenty_levels_are_the_most() -> None:
    assert copy_json(nested(20)) == nested(20)
    with pytest.raises(Refused, match="nested too deeply: 20 levels"):
        copy_json(nested(21))


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["a"] = endless

    with pytest.raises(Refused, match="nested too deeply"):
        copy_json(endless)


def test_a_small_value_that_would_be_endless_as_json_is_not_walked_to_its_end() -> None:
    vast: Any = 1
    for _ in range(15):
        vast = [vast] * 50

    with pytest.raises(Refused, match="too large: at most 64 kB"):
        copy_json({"a": vast}, 64 * 1024)


def test_a_limit_counts_bytes_and_not_characters() -> None:
    assert copy_json({"a": "x" * 1000}, 1008) == {"a": "x" * 1000}
    with pytest.raises(Refused, match="too large"):
        copy_json({"a": "x" * 1000}, 1007)
    with pytest.raises(Refused, match="too large"):
        copy_json({"a": "é" * 600}, 1007)


def test_a_text_with_ideas_of_its_own_becomes_a_plain_one() -> None:
    copied = copy_json({LoudText("key"): LoudText("value")})

    ((key, value),) = copied.items()
    assert (type(key), type(value)) == (str, str)


class LoudNumber(float):
    """Number whose conversion to text fails."""

    def __repr__(self) -> str:
        raise AssertionError("must not be asked")


def test_a_number_with_ideas_of_its_own_becomes_a_plain_one() -> None:
    copied = copy_json([LoudNumber(0.5), -0.0])

    assert [type(number) for number in copied] == [float, float]
    assert FrozenJson({"a": copied}).text == '{"a":[0.5,0.0]}'


# A seat's view


def test_a_seat_sees_its_own_notes_and_tasks_and_nothing_else() -> None:
    mine, others = task(), task(task_id="t2", agent_origin="human")
    versions = {"notes/agent": 3, "notes/human": 8, "tasks/agent": 5, "tasks/human": 9, "deal": 10}
    record = parse_record(state(tasks=[mine, others]), versions, 10)

    seen = visible_record(record, seat_reader("agent"))

    assert get_state(seen) == {
        **get_state(EMPTY_RECORD),
        "tasks": [mine],
        "notes": {"agent": {"plan": [1, 2]}},
    }
    assert seen.versions == FrozenJson({"notes/agent": 3, "tasks/agent": 5})
    assert seen.version == 5


def test_the_version_of_a_section_is_that_of_its_newest_part() -> None:
    record = replace(EMPTY_RECORD, versions=FrozenJson({"notes/agent": 3, "notes/human": 8, "notesx": 11}))

    assert record.version_of("notes/agent") == 3
    assert record.version_of("notes") == 8
    assert record.version_of("deal") == 0
