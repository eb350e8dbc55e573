"""Merging of updates into notes and tasks."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.record.notes_and_tasks_update_merge import deep_merge
from negoplatform.domain.errors import Refused
from tests.core.record_keeper import Json, task


def test_nested_objects_are_merged_key_by_key() -> None:
    current = {"deal": {"bananas": {"human": 2, "agent": 2}, "wood": {"human": 1}}}

    merged = deep_merge(current, {"deal": {"bananas": {"agent": 3}, "grain": {"human": 5}}})

    assert merged == {
        "deal": {"bananas": {"human": 2, "agent": 3}, "wood": {"human": 1}, "grain": {"human": 5}}
    }


def test_none_deletes_a_key_and_misses_none_that_is_not_there() -> None:
    merged = deep_merge({"deal": {"bananas": 1, "wood": {"a": 1}}}, {"deal": {"wood": None, "grain": None}})

    assert merged == {"deal": {"bananas": 1}}


def test_a_list_is_replaced_or_added_to() -> None:
    current = {"annotations": {"insights": [1, 2], "old": [3]}}

    merged = deep_merge(
        current,
        {"annotations": {"insights": {"$append": [{"x": None}]}, "old": [4], "new": {"$append": [5]}}},
    )

    assert merged == {"annotations": {"insights": [1, 2, {"x": None}], "old": [4], "new": [5]}}


def test_an_object_takes_the_place_of_what_is_none_with_its_own_instructions_carried_out() -> None:
    merged = deep_merge({"deal": {"a": 3}}, {"deal": {"a": {"b": {"$append": [1]}, "c": None, "d": 2}}})

    assert merged == {"deal": {"a": {"b": [1], "d": 2}}}


def test_an_update_of_the_status_alone_keeps_the_rest_of_the_task() -> None:
    merged = deep_merge({"tasks": [task("t1"), task("t2")]}, {"tasks": [{"task_id": "t1", "status": "done"}]})

    assert merged == {"tasks": [task("t1", status="done"), task("t2")]}


def test_the_metadata_of_a_task_are_merged_and_not_replaced() -> None:
    update = {"task_id": "t1", "metadata": {"why": "asked"}}

    merged = deep_merge({"tasks": [task()]}, {"tasks": [update]})

    assert merged["tasks"][0]["metadata"] == {"issue": "bananas", "why": "asked"}


def test_new_tasks_are_added_at_the_end_and_two_with_one_id_become_one() -> None:
    updates = {"tasks": [task("t2"), task("t3"), {"task_id": "t2", "status": "done"}]}

    merged = deep_merge({"tasks": [task("t1")]}, updates)

    assert merged == {"tasks": [task("t1"), task("t2", status="done"), task("t3")]}


@pytest.mark.parametrize(
    ("updates", "reason"),
    [
        ({"annotations": {"x": {"$append": 1}}}, "annotations/x does not fit"),
        ({"annotations": {"x": {"$append": [1], "y": 2}}}, "annotations/x does not fit"),
        ({"annotations": {"text": {"$append": [1]}}}, "annotations/text is no list"),
        ({"tasks": {"t1": {}}}, "tasks does not fit: a list"),
        ({"tasks": {"$append": []}}, "tasks does not fit: a list"),
        ({"tasks": [{"status": "done"}]}, "tasks/0 does not fit"),
        ({"tasks": ["t1"]}, "tasks/0 does not fit"),
        ({"tasks": [{"task_id": "t1", "agent_origin": "human"}]}, "tasks/t1/agent_origin cannot change"),
        ({"tasks": [{"task_id": "t1", "agent_origin": None}]}, "tasks/t1/agent_origin cannot change"),
    ],
)
def test_a_shape_that_cannot_be_merged_is_refused_by_its_place(updates: Json, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        deep_merge({"annotations": {"text": "words"}, "tasks": [task()]}, updates)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(st.sampled_from("abc"), json_values, max_size=3)


def everything_in(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything_in(item))]


@given(json_objects, json_objects)
def test_a_merge_changes_neither_side_and_shares_nothing_with_them(current: Json, updates: Json) -> None:
    before = copy.deepcopy((current, updates))

    merged = deep_merge(current, updates)

    assert (current, updates) == before
    given_objects = {id(v) for v in everything_in([current, updates]) if isinstance(v, dict | list)}
    assert not given_objects & {id(v) for v in everything_in(merged) if isinstance(v, dict | list)}


@given(json_objects)
def test_merging_the_same_twice_is_merging_it_once(updates: Json) -> None:
    once = deep_merge({}, updates)

    assert deep_merge(once, updates) == once
