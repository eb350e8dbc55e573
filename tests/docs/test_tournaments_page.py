"""The page about tournaments: its file is valid, and what it says about tables is there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from negoplatform.cli.main import run
from negoplatform.formats.tournament_file import TournamentModel
from negoplatform.plugins.program_and_user_folders import bundled
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "tournaments.md"


def example() -> dict[str, object]:
    """Return the tournament file of the page."""
    found = re.search(r"<!-- file: tour.json -->\n```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    document: dict[str, object] = json.loads(found[1])
    return document


def test_a_newcomer_gets_every_file_and_column_that_the_page_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "agents" / "random_bids.py", tmp_path / "mine.py")
    (tmp_path / "domains").mkdir()
    shutil.copy(bundled("games") / "practice.json", tmp_path / "domains" / "one.json")
    document = {**example(), "seeds": {"n": 1}, "deadline": {"offers": 10}}
    (tmp_path / "tour.json").write_text(json.dumps(document), encoding="utf-8")

    code = run(["tournament", "tour.json", "--engine", "inline", "--data-dir", str(tmp_path / "data")])

    assert code == 0
    text = PAGE.read_text(encoding="utf-8")
    scores = text.split("| column | meaning |")[1].split("\n\n")[0]
    columns = [name for row in scores.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    head = (tmp_path / "tour" / "scores.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert len(columns) > 10
    assert set(columns) <= set(head)
    files = text.split("| file | contents |")[1].split("\n\n")[0]
    named = re.findall(r"^\| `([\w.]+)`", files, re.M)
    only_if_asked_for = {"models.csv", "agents_output.txt"}
    there = {path.name for path in (tmp_path / "tour").iterdir()}
    assert set(named) - only_if_asked_for <= there
    script = re.search(r"<!-- file: pair.py -->\n```python\n(.*?)```", text, re.S)
    assert script is not None
    printed = subprocess.run(
        [sys.executable, "-c", script[1]], capture_output=True, text=True, check=True
    ).stdout
    assert "pvalue=" in printed


def test_every_key_of_the_file_is_explained() -> None:
    keys = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8").split("## The file")[1], re.M)

    fields = {field.alias or name for name, field in TournamentModel.model_fields.items()}
    assert set(keys) == fields - {"schema"}
