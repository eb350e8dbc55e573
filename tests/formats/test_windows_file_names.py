"""Names that Windows cannot have, or takes for devices, refused on every system."""

from __future__ import annotations

import pytest

from negoplatform.formats.windows_file_names import is_device_name, is_portable


@pytest.mark.parametrize("name", ["nul", "CON", "aux.txt", "Lpt1.tar.gz", "com¹", "prn .txt", "CONIN$"])
def test_a_device_is_a_device_whatever_its_capitals_and_ending(name: str) -> None:
    assert is_device_name(name)
    assert not is_portable(name)


@pytest.mark.parametrize(
    "name", ["null", "con-1", "com", "com10", "a.nul", "console", "auxiliary.md", "P01.html"]
)
def test_a_name_that_only_resembles_a_device_is_an_ordinary_one(name: str) -> None:
    assert not is_device_name(name)
    assert is_portable(name)


@pytest.mark.parametrize("name", ["page.", "page ", "a:b", "why?.md", 'a"b', "a\tb", "a|b", "a\\b", "a/b"])
def test_what_windows_refuses_or_changes_is_not_portable(name: str) -> None:
    assert not is_portable(name)


def test_letters_of_any_language_are_portable() -> None:
    assert is_portable("Größe – משא ומתן.md")
