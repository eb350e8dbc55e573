"""Freezing a study to an archive, installing it, and writing the plan of its participants."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path, PurePosixPath
from uuid import uuid4

from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.study_check import require_sound
from negoplatform.app.study.study_folder import (
    LARGEST_STUDY,
    MANIFEST_NAME,
    MOST_FILES,
    PLAN_FILE,
    StudyFolder,
    build_manifest,
    load_study,
    study_files,
)
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.formats.windows_file_names import is_portable
from negoplatform.study.assignment import cell_at, order_at
from negoplatform.study.stages import RoundsStage
from negoplatform.study.study_file import cell_name

ARCHIVE_SUFFIX = ".nstudy"
STUDIES = "studies"

ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of all files in an archive: equal content gives equal bytes."""

NOT_PORTABLE = "no file can have this name on Windows; rename it in the study"


def freeze_study(folder: StudyFolder) -> tuple[StudyFolder, Path]:
    """Write the manifest of a study, and its archive next to its folder; return the study and the archive.

    Raises:
        NegoError: If the study has errors, or the archive of this version exists with another content.
    """
    require_sound(folder)
    data = build_manifest(folder, shipped_hashes(folder))
    archive = folder.root.resolve().parent / f"{folder.study.label}{ARCHIVE_SUFFIX}"
    content = archive_bytes(folder.root, data)
    if archive.exists() and archive.read_bytes() != content:
        raise NegoError(
            f"{archive} is there already, with another content; give the study a new version, "
            "or delete that file."
        )
    atomic_write(folder.root / MANIFEST_NAME, data, replace=True)
    atomic_write(archive, content, replace=True)
    return load_study(folder.root, folder.data_dir), archive


def archive_bytes(root: Path, manifest: bytes) -> bytes:
    """Return the archive of a study; equal content gives equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        # Not compressed: compressed bytes differ between versions of zlib.
        _add(archive, MANIFEST_NAME, manifest)
        for path in _portable_files(root):
            _add(archive, path.relative_to(root).as_posix(), path.read_bytes())
    return out.getvalue()


def _portable_files(root: Path) -> Iterator[Path]:
    """Yield the files of a study.

    Raises:
        InputFileError: If Windows could not unpack one of them.
    """
    seen: set[str] = set()
    for path in study_files(root):
        name = path.relative_to(root)
        if not all(map(is_portable, name.parts)):
            raise InputFileError(path, "", NOT_PORTABLE)
        if name.as_posix().casefold() in seen:
            raise InputFileError(path, "", "another file has this name in other capitals; rename one of them")
        seen.add(name.as_posix().casefold())
        yield path


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, ARCHIVE_DATE)
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    archive.writestr(entry, data)


def install_study(source: Path, data_dir: Path) -> StudyFolder:
    """Copy a frozen study, an archive or a folder, into the folder ``studies`` of the user.

    Raises:
        NegoError: If it is not valid or not frozen, or another content of this version is installed.
    """
    studies = data_dir / STUDIES
    beside = studies / f".{uuid4().hex}.part"
    try:
        beside.mkdir(parents=True)
        if source.is_dir():
            for path in [*study_files(source), source / MANIFEST_NAME]:
                if path.is_file():
                    copy = beside / path.relative_to(source)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, copy)
        else:
            _extract(source, beside)
        folder = _load_copy(beside, source, data_dir)
        if folder.manifest is None:
            raise NegoError(f"{source} is not frozen; freeze it first: negoplatform study freeze {source}")
        if folder.changes:
            raise NegoError(f"{source} was frozen, and since then {folder.changes[0]}.")
        _require_sound_copy(folder, source)
        target = studies / folder.study.label
        if target.exists():
            there = load_study(target, data_dir)
            if there.study.sha256 != folder.study.sha256 or not there.is_frozen:
                raise NegoError(
                    f"{target} is there already, with another content; a changed study has a new version."
                )
            return there
        retry_while_held(lambda: beside.replace(target))
        return load_study(target, data_dir)
    except OSError as error:
        raise NegoError(f"{studies} cannot be written ({error.strerror}).") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _load_copy(beside: Path, source: Path, data_dir: Path) -> StudyFolder:
    """Return the study in a copy that does not stay; faults name the place in what it was copied from."""
    try:
        return load_study(beside, data_dir)
    except InputFileError as error:
        path = str(error.path).replace(str(beside), str(source))
        raise InputFileError(path, error.where, error.reason) from None


def _require_sound_copy(folder: StudyFolder, source: Path) -> None:
    try:
        require_sound(folder)
    except NegoError as error:
        raise NegoError(str(error).replace(str(folder.root), str(source))) from None


def _extract(source: Path, target: Path) -> None:
    try:
        if source.exists() and not source.is_file():
            raise InputFileError(source, "", "this is no regular file")
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST_STUDY:
                raise InputFileError(source, "", "the archive is too large for a study")
            for entry in entries:
                parts = PurePosixPath(entry.filename).parts
                if entry.is_dir():
                    continue
                # A colon begins a path on another drive of Windows.
                leads_out = entry.filename.startswith("/") or ".." in parts
                if not parts or leads_out or any(sign in entry.filename for sign in "\\:"):
                    raise InputFileError(source, entry.filename, "this name leads out of the study's folder")
                if not all(map(is_portable, parts)):
                    raise InputFileError(source, entry.filename, NOT_PORTABLE)
                path = target.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(entry))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise InputFileError(
            source, "", f"this is no study; name a folder or a {ARCHIVE_SUFFIX} file"
        ) from None
    except OSError as error:
        raise InputFileError(source, "", f"the file cannot be read ({error.strerror})") from None


def plan_table(folder: StudyFolder, codes: list[str], spare: list[str]) -> str:
    """Return a plan as CSV: a cell and the orders for each code, by permuted blocks, and for spare codes.

    Args:
        folder: The study.
        codes: The codes.
        spare: Further codes, for people who replace others: they are given to the cells in turn.
    """
    model = folder.study.model
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["code", "cell", "order", "station", "spare"])
    counts: dict[str, int] = {}

    def orders(name: str) -> Iterator[str]:
        place = counts.get(name, 0)
        counts[name] = place + 1
        for factor, within in model.design.within.items():
            stage = model.stage(within.of)
            count = len(stage.rounds) if isinstance(stage, RoundsStage) else 1
            order = order_at(model, factor, count, place, name)
            yield f"{factor}={'-'.join(str(i + 1) for i in order)}"

    for place, code in enumerate(codes):
        name = cell_name(cell_at(model, place))
        writer.writerow([code, name, " ".join(orders(name)), "", "0"])
    names = [cell_name(cell) for cell in model.cells()]
    for code, name in zip(spare, islice(cycle(names), len(spare)), strict=True):
        writer.writerow([code, name, " ".join(orders(name)), "", "1"])
    return out.getvalue()


def write_plan(folder: StudyFolder, codes: list[str], spare: list[str]) -> Path:
    """Write the plan of a study.

    Raises:
        NegoError: If the study was frozen, or there is a plan already.
    """
    if folder.manifest is not None:
        raise NegoError(
            f"{folder.study.label} was frozen, and a plan would change it; copy the study without "
            f"{MANIFEST_NAME}, give it a new version, and plan before you freeze it."
        )
    path = folder.root / PLAN_FILE
    if path.exists():
        raise NegoError(f"{path} is there already; delete it first if you want a new plan.")
    atomic_write(path, plan_table(folder, codes, spare).encode("utf-8"))
    return path
