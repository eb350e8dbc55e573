"""Names in study files that become names of files, on Windows too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.instrument import load_instrument
from tests.study.studies import small_study


@pytest.mark.parametrize("text", ["aux.md", "NUL", "page."])
def test_a_text_has_a_name_that_windows_can_have(tmp_path: Path, text: str) -> None:
    def name_text(document: dict[str, Any]) -> None:
        document["stages"][1]["text"] = text

    with pytest.raises(InputFileError, match=r"no file can have the name .* on Windows; take another name"):
        small_study(tmp_path, name_text)


def test_neither_a_study_nor_an_instrument_has_the_name_of_a_device(tmp_path: Path) -> None:
    shipped = next(bundled("instruments").glob("*.json"))
    instrument = tmp_path / "instrument.json"
    text = shipped.read_text(encoding="utf-8")
    instrument.write_text(text.replace(f'"name": "{shipped.stem}"', '"name": "prn"', 1), encoding="utf-8")

    with pytest.raises(InputFileError, match="name: on Windows 'con' is the name of a device"):
        small_study(tmp_path, lambda document: document.update(name="con"))
    with pytest.raises(InputFileError, match="name: on Windows 'prn' is the name of a device"):
        load_instrument(instrument)
