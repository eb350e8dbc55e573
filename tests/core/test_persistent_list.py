"""A history grows and never changes."""

from __future__ import annotations

import pytest

from negoplatform.core.persistent_list import History


def test_a_history_is_walked_from_oldest_to_newest_and_back() -> None:
    history = History("abc").plus("d")

    assert list(history) == ["a", "b", "c", "d"]
    assert list(history.newest()) == ["d", "c", "b", "a"]
    assert repr(history) == "History(['a', 'b', 'c', 'd'])"
    assert len(history) == 4


def test_a_longer_history_leaves_the_shorter_one_alone() -> None:
    short = History("ab")

    short.plus("c")
    short.plus("x")

    assert list(short) == ["a", "b"]


def test_a_history_is_its_items_in_their_order() -> None:
    assert History("ab") == History("a").plus("b")
    assert hash(History("ab")) == hash(History("a").plus("b"))
    assert History("ab") != History("ba")
    assert History("ab") != History("abb")
    assert History("bbb") != History("bb")
    assert History() == History("")
    assert History() != ["a"]


def test_a_history_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        History("ab")._item = "c"
