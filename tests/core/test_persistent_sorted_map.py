"""Persistent sorted mapping: the same as a dictionary in the order of its keys, and earlier versions stay."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.immutable.persistent_sorted_map import MOST_PER_NODE, PersistentSortedMap

changes = st.lists(st.tuples(st.booleans(), st.integers(0, 40), st.integers()), max_size=80)


@given(changes=changes)
def test_every_version_is_the_dictionary_after_the_same_changes(
    changes: list[tuple[bool, int, int]],
) -> None:
    found: PersistentSortedMap[int, int] = PersistentSortedMap()
    model: dict[int, int] = {}
    versions = []
    for add, key, value in changes:
        if add:
            found, model = found.with_item(key, value), {**model, key: value}
        elif key in model:
            found = found.without(key)
            model = {other: kept for other, kept in model.items() if other != key}
        else:
            with pytest.raises(KeyError):
                found.without(key)
        versions.append((found, model))

    for version, same in versions:
        assert list(version.items()) == sorted(same.items())
        assert (len(version), version.first()) == (len(same), min(same.items(), default=None))
        assert all(version.get(key) == same.get(key) for key in range(41))


def test_many_entries_come_and_go_in_any_order() -> None:
    rng = Random(1)
    keys = [(rng.randint(0, 99), number) for number in range(MOST_PER_NODE**2 + 500)]
    found = PersistentSortedMap((key, key[1]) for key in keys)

    assert list(found) == sorted(keys)
    rng.shuffle(keys)
    for count, key in enumerate(keys, start=1):
        found = found.without(key)
        if count % 997 == 0:
            assert list(found) == sorted(keys[count:])
    assert (len(found), found.first(), list(found.items())) == (0, None, [])
