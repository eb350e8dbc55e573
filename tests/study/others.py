"""Studies for tests in which a wizard or a second person takes part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from negoplatform.app.study.study_folder import StudyFolder
from tests.study.rounds import rounds_study

WITH_WIZARD: dict[str, Any] = {"agent": "counting", "name": "Robin", "wizard": True}
WITH_PERSON: dict[str, Any] = {"person": True, "name": "Alex", "participant_name": "Kim"}


def study_with(
    folder: Path,
    partner: dict[str, Any],
    *,
    games: int = 2,
    change: Callable[[dict[str, Any]], object] = lambda _document: None,
) -> StudyFolder:
    """Return a study of some rounds with one partner, in a new folder.

    Args:
        folder: The folder.
        partner: The partner.
        games: The number of rounds, at most 3.
        change: Changes the study's document.
    """

    def make(document: dict[str, Any]) -> None:
        document["partners"] = {"a": partner}
        document["stages"][0]["rounds"] = document["stages"][0]["rounds"][:games]
        change(document)

    return rounds_study(folder, change=make)
