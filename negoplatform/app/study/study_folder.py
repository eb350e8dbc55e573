"""Folder of a study: its files, its hash, and the games and agents that its file names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import Field

import negoplatform
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.catalogue.search_path import AGENT_FILE, keep_from_agents
from negoplatform.app.session.session_plan import check_participant
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.strict_json import (
    LARGEST_FILE,
    LazyStrictModel,
    parse_json,
    read_bytes,
    read_text,
    single_line,
    validate_json,
)
from negoplatform.plugins.agent_loader import SEAT_ROLE, AgentPlugin
from negoplatform.plugins.game_state_loader import GAME_FILE
from negoplatform.plugins.policy_files import POLICY_SUFFIX
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.instrument import InstrumentModel, load_instrument
from negoplatform.study.study import Study, parse_study
from negoplatform.study.study_text import TextBlock, parse_text

STUDY_FILE = "study.json"
MANIFEST_NAME = "manifest.json"
TEXTS, INSTRUMENTS, GAMES, AGENTS, PICTURES = "texts", "instruments", "games", "agents", "pictures"
MANIFEST_SCHEMA = "negoplatform.manifest/1"

MOST_FILES = 2000
"""Maximum number of files of a study."""

LARGEST_STUDY = 200_000_000
"""Maximum size of all files of a study in bytes."""


class StudyManifest(LazyStrictModel):
    """Content of a ``manifest.json``, which freezing writes."""

    schema_: Literal["negoplatform.manifest/1"] = Field(alias="schema")
    study: str
    version: str
    sha256: str
    program: str
    files: Annotated[dict[str, str], Field(max_length=MOST_FILES)]
    shipped: Annotated[dict[str, str], Field(max_length=MOST_FILES)]
    """Hashes of the program's own games, agents and instruments that the study uses."""


@dataclass(frozen=True)
class StudyFolder:
    """Study with its folder.

    Args:
        root: The folder.
        study: The study.
        data_dir: The user's folder, for agents and games that the study names but does not hold.
        manifest: The manifest of a frozen study; None: it is not frozen.
        changes: What differs from the manifest, in sentences; empty if nothing does.
    """

    root: Path
    study: Study
    data_dir: Path
    manifest: StudyManifest | None = None
    changes: tuple[str, ...] = ()

    @property
    def is_frozen(self) -> bool:
        """Whether it is frozen, and has not been changed since."""
        return self.manifest is not None and not self.changes

    @property
    def file(self) -> Path:
        """Path of the study.json."""
        return self.root / STUDY_FILE

    def text_path(self, name: str, language: str) -> Path:
        """Return the file of a text in a language."""
        return self.root / TEXTS / language / name

    def text(self, name: str, language: str) -> tuple[TextBlock, ...]:
        """Return a text in a language.

        Raises:
            InputFileError: If there is none, or it cannot be shown.
        """
        path = self.text_path(name, language)
        self.check_unchanged(path)
        return parse_text(read_text(path), path)

    def text_hash(self, name: str, language: str) -> str:
        """Return the hash of a text's file."""
        path = self.text_path(name, language)
        self.check_unchanged(path)
        return sha256(read_bytes(path)).hexdigest()

    def check_unchanged(self, path: Path) -> None:
        """Check that a file, or all files in a folder, of a frozen study are still those that were frozen.

        The study may be open for a whole day, and what is trusted and recorded is what it was at its opening.

        Raises:
            InputFileError: If one was changed, added or removed.
        """
        if self.manifest is None or not self.is_frozen:
            return
        for file in study_files(path) if path.is_dir() else [path]:
            name = file.relative_to(self.root).as_posix()
            if sha256(read_bytes(file, LARGEST_STUDY)).hexdigest() != self.manifest.files.get(name):
                raise InputFileError(
                    file, "", "this file of a frozen study was changed while the study is open; put it back"
                )

    def game(self, name: str) -> GameSpec:
        """Return a game of the study, or else of the catalogue.

        Raises:
            NegoError: If there is none, or it cannot be used.
        """
        if name not in self._games:
            path = self.game_path(name)
            if path is not None:
                self.check_unchanged(path.parent if path.name == GAME_FILE else path)
            self._games[name] = find_game(str(path) if path else name, self.data_dir)
        return self._games[name]

    @cached_property
    def _games(self) -> dict[str, GameSpec]:
        """Games that were read, because finding one reads all shipped games."""
        return {}

    def game_path(self, name: str) -> Path | None:
        """Return the file of a game in the study's folder; None if it has none."""
        places = (self.root / GAMES / f"{name}.json", self.root / GAMES / name / GAME_FILE)
        return next((path for path in places if path.is_file()), None)

    def agent(self, name: str, roles: Collection[str] = (SEAT_ROLE,)) -> AgentPlugin:
        """Return an agent of the study, or else of the catalogue.

        An agent in the study's folder is trusted with the study.

        Args:
            name: Its name.
            roles: Roles that fit: by default agents for seats.

        Raises:
            NegoError: If there is none, or it cannot be used.
        """
        path = self.agent_path(name)
        if path is not None:
            # All of them: an agent may import another module of the folder.
            self.check_unchanged(self.root / AGENTS)
        # Rehearsals and tries of single steps run it inside the program.
        return find_agent(str(path) if path else name, self.data_dir, in_program=True, roles=roles)

    def agent_path(self, name: str) -> Path | None:
        """Return the file of an agent in the study's folder; None if it has none."""
        folder = self.root / AGENTS
        places = (folder / f"{name}.py", folder / name / AGENT_FILE, folder / f"{name}{POLICY_SUFFIX}")
        return next((path for path in places if path.is_file()), None)

    def picture(self, name: str) -> Path | None:
        """Return the file of a picture; None if there is none."""
        path = self.root / PICTURES / name
        return path if path.is_file() and PurePosixPath(name).name == name else None

    @cached_property
    def codes(self) -> CodeList | None:
        """The file of codes; None if the study has none."""
        name = self.study.model.codes.from_
        return None if name is None else read_codes(self.root / name)

    @cached_property
    def plan(self) -> dict[str, PlanRow]:
        """The rows of plan.csv by code; empty if there is none."""
        path = self.root / PLAN_FILE
        return read_plan(path) if path.is_file() else {}


@dataclass(frozen=True, slots=True)
class CodeList:
    """File of codes.

    Args:
        path: The file.
        rows: The other columns of each code, by code, in the order of the file.
    """

    path: Path
    rows: Mapping[str, Mapping[str, str]]


PLAN_FILE = "plan.csv"


@dataclass(frozen=True, slots=True)
class PlanRow:
    """Row of a plan.

    Args:
        cell: The name of the cell.
        order: Positions of the orders by within factor.
        station: The station; empty: any.
        spare: Whether the code replaces a drop-out.
    """

    cell: str
    orders: Mapping[str, tuple[int, ...]]
    station: str = ""
    spare: bool = False


def load_study(path: Path, data_dir: Path) -> StudyFolder:
    """Return the study in a folder, or of a study.json.

    Raises:
        InputFileError: If its file, an instrument or its manifest is not valid.
    """
    root = path.parent if path.name == STUDY_FILE else path
    keep_from_agents(root)
    file = root / STUDY_FILE
    study = parse_study(read_text(file), file)
    named = _instrument_stages(study)
    instruments = {name: _instrument(root, name, file, named[name]) for name in sorted(named)}
    hashes = file_hashes(root)
    study = Study(study.document, file, instruments, study_hash(hashes))
    manifest = _read_manifest(root / MANIFEST_NAME)
    changes = () if manifest is None else tuple(_differences(manifest, hashes))
    return StudyFolder(root, study, data_dir, manifest, changes)


def _instrument_stages(study: Study) -> dict[str, str]:
    """Return the instruments of a study by name, each with a stage that shows it."""
    return {
        stage.instrument: stage.id
        for model in study.models.values()
        for stage in model.all_stages()
        if stage.kind == "form" and stage.instrument is not None
    }


def _instrument(root: Path, name: str, file: Path, stage: str) -> InstrumentModel:
    places = (root / INSTRUMENTS / f"{name}.json", bundled(INSTRUMENTS) / f"{name}.json")
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        there = ", ".join(shipped_instruments())
        reason = f"there is no instrument {name!r}; put it into {places[0]}, or use one of {there}"
        raise InputFileError(file, f"stages.{stage}.instrument", reason)
    found = load_instrument(path)
    if found.name != name:
        raise InputFileError(
            path, "name", f"the instrument is called {found.name!r} here and {name!r} in the study"
        )
    return found


def shipped_instruments() -> list[str]:
    """Return the names of the instruments that the program brings."""
    return sorted(path.stem for path in bundled(INSTRUMENTS).glob("*.json"))


def study_files(root: Path) -> list[Path]:
    """Return the files that belong to a study, without its manifest and hidden ones, in a fixed order.

    Raises:
        InputFileError: If there are too many, or one lies outside of the folder.
    """
    found: list[Path] = []
    for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).as_posix()):
        parts = path.relative_to(root).parts
        if any(part.startswith((".", "__pycache__")) for part in parts) or parts == (MANIFEST_NAME,):
            continue
        if path.is_symlink():
            raise InputFileError(path, "", "a study holds no links to other places; copy the file into it")
        if path.is_file():
            found.append(path)
        if len(found) > MOST_FILES:
            raise InputFileError(root, "", f"there are more than {MOST_FILES:,} files in this study")
    return found


def file_hashes(root: Path) -> dict[str, str]:
    """Return the hash of each file of a study by its path in the folder.

    Raises:
        InputFileError: If a file cannot be read, or there are too many.
    """
    return {
        path.relative_to(root).as_posix(): sha256(read_bytes(path, LARGEST_STUDY)).hexdigest()
        for path in study_files(root)
    }


def study_hash(hashes: Mapping[str, str]) -> str:
    """Return the hash of a study from the hashes of its files."""
    text = "".join(f"{digest}  {path}\n" for path, digest in sorted(hashes.items()))
    return sha256(text.encode("utf-8")).hexdigest()


def build_manifest(folder: StudyFolder, shipped: Mapping[str, str]) -> bytes:
    """Return the manifest of a study as JSON."""
    hashes = file_hashes(folder.root)
    model = folder.study.model
    document: dict[str, Any] = {
        "schema": MANIFEST_SCHEMA,
        "study": model.name,
        "version": model.version,
        "sha256": study_hash(hashes),
        "program": negoplatform.__version__,
        "files": dict(sorted(hashes.items())),
        "shipped": dict(sorted(shipped.items())),
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _read_manifest(path: Path) -> StudyManifest | None:
    if not path.is_file():
        return None
    text = read_text(path)
    if not isinstance(parse_json(text, path), dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    return validate_json(StudyManifest, text, path)


def _differences(manifest: StudyManifest, hashes: Mapping[str, str]) -> Iterable[str]:
    for path in sorted({*manifest.files, *hashes}):
        if path not in hashes:
            yield f"{path} was removed"
        elif path not in manifest.files:
            yield f"{path} was added"
        elif manifest.files[path] != hashes[path]:
            yield f"{path} was changed"


def read_table(path: Path, required: Iterable[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV file with a header, without surrounding spaces.

    Raises:
        InputFileError: If it is not one, or lacks a column.
    """
    text = read_text(path).removeprefix("\ufeff")
    if len(text) > LARGEST_FILE:
        raise InputFileError(path, "", "the file is too large")
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise InputFileError(path, "", f"this is no valid CSV ({error})") from None
    lines = [[cell.strip() for cell in line] for line in lines]
    if not lines or not any(lines[0]):
        raise InputFileError(path, "line 1", "there are no names of columns in it")
    names = [name.lower() for name in lines[0]]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputFileError(path, "line 1", f"there are two columns {single_line(twice[0], 40)!r}")
    for name in required:
        if name not in names:
            raise InputFileError(path, "line 1", f"there is no column {name!r}; separate columns with commas")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if not any(line):
            continue
        if len(line) != len(names):
            reason = f"this row has {len(line)} cells, and the first one {len(names)}"
            raise InputFileError(path, f"line {number}", reason)
        rows.append(dict(zip(names, line, strict=True)) | {"": str(number)})
    return rows


def read_codes(path: Path) -> CodeList:
    """Return a file of codes: ``code`` and further columns, which strata and conditions can name.

    Raises:
        InputFileError: If it is not one; two codes that differ in capitals only are the same.
    """
    rows: dict[str, Mapping[str, str]] = {}
    seen: dict[str, str] = {}
    for row in read_table(path, ["code"]):
        line, code = f"line {row.pop('')}", row.pop("code")
        _check_code(code, path, line, seen)
        rows[code] = row
    if not rows:
        raise InputFileError(path, "", "there are no codes in it")
    return CodeList(path, rows)


def _check_code(code: str, path: Path, line: str, seen: dict[str, str]) -> None:
    try:
        check_participant(code)
    except NegoError as error:
        raise InputFileError(path, line, str(error).rstrip(".")) from None
    if code.casefold() in seen:
        raise InputFileError(path, line, f"the code {code} appears twice; keep one of them")
    seen[code.casefold()] = code


def read_plan(path: Path) -> dict[str, PlanRow]:
    """Return a plan: ``code``, ``cell``, and optionally ``order``, ``station`` and ``spare``.

    Raises:
        InputFileError: If it is not one.
    """
    found: dict[str, PlanRow] = {}
    seen: dict[str, str] = {}
    for row in read_table(path, ["code", "cell"]):
        line = f"line {row['']}"
        _check_code(row["code"], path, line, seen)
        orders: dict[str, tuple[int, ...]] = {}
        for part in row.get("order", "").split():
            name, _, numbers = part.partition("=")
            try:
                orders[name] = tuple(int(number) - 1 for number in numbers.split("-"))
            except ValueError:
                reason = "an order is written as NAME=2-1-3"
                raise InputFileError(path, line, reason) from None
        spare = row.get("spare", "").lower() in ("1", "yes", "true")
        found[row["code"]] = PlanRow(row["cell"], orders, row.get("station", ""), spare)
    return found
