"""Every bad agent.json is one row with one sentence, and the other agents load."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.domain.errors import NegoError
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.app.catalogue.test_catalogue import AGENT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the system has no pipes and links of this kind")

SOUND = "sound"
"""Folder of the sound agent among the bad ones."""


def _text(text: str, encoding: str = "utf-8") -> Callable[[Path], object]:
    return lambda path: path.write_bytes(text.encode(encoding))


def _json(value: object) -> Callable[[Path], object]:
    return _text(json.dumps(value))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1_000_000_000)


def _options(properties: object) -> Callable[[Path], object]:
    return _json({"options": {"properties": properties}})


def _nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "no file but a folder or a device"),
    "pipe": (lambda path: os.mkfifo(path), "no file but a folder or a device"),
    "circle": (lambda path: path.symlink_to(path), "the file cannot be read"),
    "dangling": (lambda path: path.symlink_to(path / "gone"), "the file cannot be read"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "no file but a folder or a device"),
    "gigabyte": (_sparse, "the file is larger than 1 MB"),
    "empty": (_text(""), "there is nothing in it"),
    "cut_off": (_text('{"id": "x"'), "this is no valid JSON"),
    "marked": (_text('\ufeff{"id": "x"}'), "byte order mark"),
    "utf16": (_text('{"id": "x"}', "utf-16"), "this is no UTF-8 text"),
    "latin1": (_text('{"author": "Jörg"}', "latin-1"), "this is no UTF-8 text"),
    "nul": (_text('{"id": "x\x00"}'), "this is no valid JSON"),
    "half": (_text('{"author": "\\ud800"}'), "only half of a character"),
    "twice": (_text('{"id": "x", "id": "y"}'), "this key appears twice"),
    "nan": (_text('{"version": NaN}'), "NaN is no number"),
    "digits": (_text('{"version": ' + "9" * 10_000 + "}"), "too many digits"),
    "deep": (_text("[" * 100_000), "nested too deeply"),
    "deep_default": (_options({"a": {"type": "array", "default": _nested(200)}}), "nested too deeply"),
    "bomb": (
        _json({"options": {"properties": {f"a{i}": [] for i in range(30_000)}}}),
        "keys and lists in it",
    ),
    "many": (_options({f"a{i}": {"type": "boolean"} for i in range(101)}), "at most 100 belong here"),
    "wide": (_options({"a": {"type": "integer", "enum": list(range(101))}}), "at most 100 belong here"),
    "way_out": (_json({"id": "../x"}), "an id has small letters"),
    "wild_name": (_json({"id": "a\nb\x1b[2J"}), "an id has small letters"),
    "wild_author": (_json({"author": "\x1b[2Jroot"}), "this is one line of text"),
    "wild_key": (_json({"a\nb\u202e": 1}), "this key is not known here"),
    "injected": (_json({"needs": ["os; import"]}), "this names no package"),
    "switch": (_json({"needs": ["--index-url=http://example.org"]}), "this names no package"),
    "shell": (_json({"needs": ["x==1$(rm)"]}), "this names no package"),
    "dunder": (_json({"needs": ["__main__"]}), "this names no package"),
    "absent": (
        _json({"needs": ["no-such-package>=2"]}),
        "no-such-package>=2 is not installed; get it for Pyth",
    ),
    "run_to_look": (_json({"needs": ["antigravity.here"]}), "antigravity.here is not installed"),
    "reference": (_options({"a": {"type": "object", "$ref": "http://x"}}), "this key is not known here"),
    "regex": (_options({"a": {"type": "string", "pattern": "(a|a)*b"}}), "this key is not known here"),
    "code": (_options({'a") or exit("': {"type": "string"}}), "an option's name has letters"),
    "climbing": (_json({"permissions": {"read": ["../../.ssh"]}}), "in the agent's own folder"),
    "rewriting": (
        _json({"permissions": {"write": ["agent.py"]}}),
        "writes folders of its own, and not agent",
    ),
    "hidden": (_json({"permissions": {"write": [".git"]}}), "which do not begin with a dot"),
    "continuing_the_question": (
        _json({"permissions": {"read": ["model. That is all it may do"]}}),
        "with names of letters, digits",
    ),
    "drawing_over_the_question": (
        _json({"permissions": {"write": ["a\u0301\u0301\u0301"]}}),
        "names of letters",
    ),
    "any_port": (_json({"permissions": {"network": ["*:*"]}}), "this is a host with a port"),
    "own_service": (
        _options({"a": {"type": "string", "format": "uri", "default": "http://example.org"}}),
        "which service is asked is said by whoever uses the agent",
    ),
    "newer": (_json({"api_version": "1.999"}), "it needs a newer NegoPlatform"),
    "namesake": (_json({"id": "fair"}), "the name 'fair' belongs to"),
}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """User folder with every bad agent and a sound one; none is trusted, so none can be run."""
    folder = tmp_path_factory.mktemp("manifests")
    for number, (name, (make, _)) in enumerate({**BAD, SOUND: (_json({"version": "1"}), "")}.items()):
        # Numbers, so that the sound one comes neither first nor last.
        place = folder / "agents" / ("5_sound" if name == SOUND else f"{number % 10}_{name}")
        place.mkdir(parents=True)
        (place / "agent.py").write_text(f"open({str(folder / 'it ran')!r}, 'w')\n{AGENT}", encoding="utf-8")
        make(place / "agent.json")
    return folder


@pytest.fixture(scope="module")
def rows(data_dir: Path) -> dict[str, CatalogueEntry[AgentPlugin]]:
    """Catalogue by the names of the folders."""
    listed = list_agents(data_dir)
    return {row.file.parent.name[2:]: row for row in listed if row.file.is_relative_to(data_dir)}


@pytest.mark.parametrize(("name", "sentence"), [(name, sentence) for name, (_, sentence) in BAD.items()])
def test_a_bad_manifest_is_a_row_with_a_sentence(
    rows: dict[str, CatalogueEntry[AgentPlugin]], name: str, sentence: str
) -> None:
    row = rows[name]

    assert row.item is None
    assert row.untrusted is None, "nobody is asked to trust what cannot be used"
    assert sentence in row.reason
    assert name in row.reason
    assert len(row.reason) < 700
    assert all(c.isprintable() for c in row.reason)
    assert row.name.isprintable()


def test_the_others_load_and_nothing_was_run(
    rows: dict[str, CatalogueEntry[AgentPlugin]], data_dir: Path
) -> None:
    assert len(rows) == len(BAD) + 1
    preview = rows[SOUND].preview
    assert rows[SOUND].untrusted is not None
    assert preview is not None
    assert preview.manifest.version == "1"
    assert not (data_dir / "it ran").exists()
    assert find_agent("fair", data_dir).name == "fair"


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root reads everything")
def test_an_agent_json_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "agent.json").write_text("{}")
    (tmp_path / "agent.json").chmod(0)
    (tmp_path / "agent.py").write_text(AGENT)

    with pytest.raises(NegoError, match=r"agent\.json: the file cannot be read \(Permission denied\)"):
        find_agent(str(tmp_path), tmp_path / "data")


def test_a_manifest_that_becomes_a_pipe_holds_nobody_up(data_dir: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(data_dir / "agents" / "5_sound", tmp_path / "agents" / "late"))
    (row,) = (row for row in list_agents(tmp_path) if row.file.is_relative_to(tmp_path))
    (place / "agent.json").unlink()
    os.mkfifo(place / "agent.json")

    assert row.untrusted is not None
    with pytest.raises(NegoError, match="no file but a folder or a device"):
        find_agent(str(place), tmp_path)
