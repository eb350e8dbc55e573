"""Code that leaves full screen: kept as a salted hash; a damaged file locks no one in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from negoplatform.app.support.experimenter_code import (
    FILE_NAME,
    delete_code,
    has_code,
    is_correct_code,
    write_code,
)


def test_only_the_code_itself_is_the_code(tmp_path: Path) -> None:
    write_code(tmp_path, "tangerine")

    assert has_code(tmp_path)
    assert is_correct_code(tmp_path, " tangerine ")
    assert not is_correct_code(tmp_path, "Tangerine")
    assert not is_correct_code(tmp_path, "")


def test_equal_codes_are_kept_differently_and_never_as_they_are(tmp_path: Path) -> None:
    write_code(tmp_path / "a", "tangerine")
    write_code(tmp_path / "b", "tangerine")

    kept = [(tmp_path / folder / FILE_NAME).read_text() for folder in "ab"]
    assert kept[0] != kept[1]
    assert "tangerine" not in kept[0]


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_nobody_else_reads_the_file(tmp_path: Path) -> None:
    write_code(tmp_path, "tangerine")

    assert (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "{}", '{"salt": "x", "hash": "y"}', '{"salt": 1, "hash": 2}']
)
def test_a_damaged_file_is_no_code(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)

    assert not has_code(tmp_path)
    assert not is_correct_code(tmp_path, "tangerine")


def test_a_code_can_be_forgotten(tmp_path: Path) -> None:
    write_code(tmp_path, "tangerine")

    delete_code(tmp_path)
    delete_code(tmp_path)

    assert not has_code(tmp_path)
