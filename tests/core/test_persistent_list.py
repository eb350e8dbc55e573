"""History that grows and never changes."""

from __future__ import annotations

import pytest

from negoplatform.core.immutable.persistent_list import PersistentList


def test_a_history_is_walked_from_oldest_to_newest_and_back() -> None:
    history = PersistentList("abc").append("d")

    assert list(history) == ["a", "b", "c", "d"]
    assert list(history.iter_backwards()) == ["d", "c", "b", "a"]
    assert repr(history) == "History(['a', 'b', 'c', 'd'])"
    assert len(history) == 4


def test_a_longer_history_leaves_the_shorter_one_alone() -> None:
    short = PersistentList("ab")

    short.append("c")
    short.append("x")

    assert list(short) == ["a", "b"]


def test_a_history_is_its_items_in_their_order() -> None:
    assert PersistentList("ab") == PersistentList("a").append("b")
    assert hash(PersistentList("ab")) == hash(PersistentList("a").append("b"))
    assert PersistentList("ab") != PersistentList("ba")
    assert PersistentList("ab") != PersistentList("abb")
    assert PersistentList("bbb") != PersistentList("bb")
    assert PersistentList() == PersistentList("")
    assert PersistentList() != ["a"]


def test_a_history_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        PersistentList("ab")._item = "c"
