"""Modules in the working folder, which neither the program nor its processes may import."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import negoplatform
from negoplatform.hosting.child_process import agent_environment

PACKAGE = Path(negoplatform.__file__).parent

# ``__future__``, ``re`` and ``typing`` are imported by nearly every module, the others by the commands below.
STRANGE = (
    "__future__",
    "re",
    "typing",
    "json",
    "random",
    "pickle",
    "hashlib",
    "click",
    "pydantic",
    "logging",
)

SIMULATE = [
    *("simulate", "--game", "resource_exchange", "--agents", "fair", "boulware"),
    *("--n", "1", "--seed", "1", "--isolated"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with files named like modules, each of which leaves a file when it is imported."""
    for name in STRANGE:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'a').write({name!r})\n")
    return tmp_path


def run(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_python_m_and_its_agents_import_nothing_of_the_working_folder(folder: Path) -> None:
    played = run(folder, sys.executable, "-m", "negoplatform", *SIMULATE, PYTHONPATH="")

    assert (played.returncode, played.stderr) == (0, "")
    assert not (folder / "imported").exists()


def test_the_command_imports_nothing_of_the_working_folder(folder: Path) -> None:
    command = Path(sys.executable).with_name("negoplatform")
    if not command.exists():
        pytest.skip("the command is not installed here")

    played = run(folder, str(command), "list", "games")

    assert (played.returncode, played.stderr) == (0, "")
    assert not (folder / "imported").exists()


def test_a_source_checkout_in_the_working_folder_is_found_by_the_program_and_its_agents(folder: Path) -> None:
    shutil.copytree(PACKAGE, folder / "negoplatform")
    for name in ("agents", "games", "assets"):
        (folder / name).symlink_to(PACKAGE.parent / name)
    with (folder / "negoplatform" / "hosting" / "agent_main.py").open("a") as module:
        module.write(f"\nopen({str(folder / 'children')!r}, 'a').write(f'{{__file__}}\\n')\n")

    played = run(folder, sys.executable, "-m", "negoplatform", *SIMULATE)

    assert (played.returncode, played.stderr) == (0, "")
    loaded = set((folder / "children").read_text().splitlines())
    assert loaded == {str(folder / "negoplatform" / "hosting" / "agent_main.py")}
    assert not (folder / "imported").exists()


@pytest.mark.parametrize(
    ("argv", "given", "kept"),
    [
        (["-m"], ["{cwd}", "{cwd}", "/own"], ["{cwd}", "/own"]),
        (["-m"], ["/own", "{cwd}"], ["/own", "{cwd}"]),
        (["analysis.py"], ["{cwd}", "/own"], ["{cwd}", "/own"]),
    ],
    ids=["PYTHONPATH names the working folder too", "something else comes first", "a program of one's own"],
)
def test_folders_that_a_person_put_on_the_path_stay_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], given: list[str], kept: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "path", [path.format(cwd=tmp_path) for path in given])

    negoplatform._remove_working_folder()

    assert sys.path == [path.format(cwd=tmp_path) for path in kept]


def test_an_agents_process_looks_into_the_standard_library_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/scripts", *sys.path, "/own libraries"])

    paths = agent_environment()["PYTHONPATH"].split(os.pathsep)

    library = str(Path(os.__file__).parent)
    assert paths.index(library) < paths.index("/scripts") < paths.index("/own libraries")
    assert not any("site-packages" in path for path in paths[: paths.index(library)])


def test_spawned_processes_of_a_rehearsal_import_nothing_of_the_working_folder(folder: Path) -> None:
    (folder / "multiprocessing.py").write_text(f"open({str(folder / 'imported')!r}, 'a').write('spawned')\n")
    study = next((PACKAGE.parent / "studies").iterdir())

    rehearsed = run(
        folder,
        *(sys.executable, "-m", "negoplatform", "study", "rehearse", str(study)),
        *("--participants", "2", "--jobs", "2", "--data-dir", str(folder / "data")),
    )

    assert rehearsed.returncode == 0, rehearsed.stderr
    assert not (folder / "imported").exists()
