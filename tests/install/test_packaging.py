"""Contents of the packaged program."""

from __future__ import annotations

import ast
import hashlib
import os
import plistlib
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

import negoplatform
from negoplatform.cli.lazy_group import COMMANDS
from negoplatform.plugins.program_and_user_folders import bundled
from tests.golden.make import GOLDEN

PACKAGING = Path(__file__).parents[2] / "packaging"
LOG = GOLDEN / "deal-2.jsonl"
CONTENTS: dict[str, Any] = runpy.run_path(str(PACKAGING / "contents.py"))


def test_every_command_comes_along_though_only_its_name_is_written_somewhere() -> None:
    modules = CONTENTS["own_modules"]()

    assert {f"negoplatform.cli.commands.{place.split(':')[0]}" for place in COMMANDS.values()} <= set(modules)


def test_what_only_agents_import_comes_along() -> None:
    assert {"negoplatform.strategies.negochat", "negoplatform.agent_api.bidder"} <= set(
        CONTENTS["own_modules"]()
    )


def test_no_file_of_ours_is_forgotten() -> None:
    package = Path(negoplatform.__file__).parent
    modules = {name.replace(".", "/") for name in CONTENTS["own_modules"]()}
    data = {Path(source) for source, _folder in CONTENTS["own_data"]()}

    forgotten = [
        path
        for path in package.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path not in data
        and str(path.relative_to(package.parent).with_suffix("")).removesuffix("/__init__") not in modules
    ]

    assert forgotten == []


def test_agents_and_games_lie_where_the_program_looks_for_them() -> None:
    folders = {Path(source).name: Path(folder).as_posix() for source, folder in CONTENTS["own_data"]()}

    assert folders["negochat.py"] == "negoplatform/_bundled/agents"
    assert folders["practice.json"] == "negoplatform/_bundled/games"


def test_only_compiled_translations_are_packaged() -> None:
    suffixes = {Path(source).suffix for source, _folder in CONTENTS["own_data"]()}

    assert ".mo" in suffixes
    assert ".po" not in suffixes


@pytest.mark.parametrize("extra", ["analysis", "dask", "negmas", "scenarios", "tournament"])
def test_no_package_of_an_extra_that_is_not_the_programs_is_packaged(extra: str) -> None:
    project = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = project["optional-dependencies"][extra]
    names = {re.split(r"[\[<>=;\s]", requirement)[0] for requirement in requirements} - {"negoplatform"}
    modules = {{"pyyaml": "yaml"}.get(name, name) for name in names}

    assert names
    assert modules <= set(CONTENTS["LEFT_OUT"])


def test_what_windows_has_and_time_zones_for_tcl_are_left_out() -> None:
    is_left_out = CONTENTS["is_left_out"]

    for path in ("ucrtbase.dll", "api-ms-win-crt-heap-l1-1-0.dll", "_tcl_data/tzdata/Europe/Berlin"):
        assert is_left_out(path)
    for path in ("VCRUNTIME140.dll", "python313.dll", "_tcl_data/init.tcl", "tzdata/zoneinfo/Europe/Berlin"):
        assert not is_left_out(path)


def test_a_plugin_finds_the_standard_library() -> None:
    names = set(CONTENTS["standard_library"]())

    assert {
        "sqlite3.dbapi2",
        "html.parser",
        "wave",
        "cmath",
        "colorsys",
        "xml.dom.minidom",
        "doctest",
    } <= names
    assert not [name for name in names if name.split(".")[0] in {"test", "idlelib"}]


@pytest.mark.parametrize("size", [16, 32, 64, 256])
def test_the_icon_is_what_its_script_draws(size: int) -> None:
    draw: Callable[[int], Image.Image] = runpy.run_path(str(PACKAGING / "icon.py"))["draw"]

    with Image.open(bundled("assets") / "icon" / f"{size}.png") as kept:
        off = ImageStat.Stat(ImageChops.difference(kept.convert("RGBA"), draw(size)))

    # Not to the last shade: how edges are smoothed differs from one Pillow to the next.
    assert max(off.mean) < 0.3


@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux")
def test_the_menu_names_the_program_where_it_lies_until_it_is_taken_out(tmp_path: Path) -> None:
    here, data = tmp_path / "my lab", tmp_path / "data"
    icons = here / "_internal/negoplatform/_bundled/assets/icon"
    icons.mkdir(parents=True)
    for path in (bundled("assets") / "icon").iterdir():
        (icons / path.name).write_bytes(path.read_bytes())
    for name in ("register.sh", "negoplatform.desktop", "negoplatform.xml"):
        (here / name).write_bytes((PACKAGING / "linux" / name).read_bytes())
    command = ["sh", str(here / "register.sh")]
    env = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(data)}

    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    entry = (data / "applications" / "negoplatform.desktop").read_text(encoding="utf-8")
    subprocess.run([*command, "--remove"], env=env, check=True, stdout=subprocess.DEVNULL)

    assert f'Exec="{here}/NegoPlatform" %f\n' in entry
    assert "/opt/" not in entry
    assert not [path for path in data.rglob("negoplatform*") if path.is_file()]


def test_four_numbers_are_made_of_any_version() -> None:
    numbers_of = CONTENTS["numbers_of"]

    assert numbers_of("0.1.0") == (0, 1, 0, 0)
    assert numbers_of("0.2.0rc1") == (0, 2, 0, 0)
    assert numbers_of("12.3") == (12, 3, 0, 0)
    assert numbers_of("1.2.3.4.dev5") == (1, 2, 3, 0)


# The build


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Build script, loaded but not run, as a mapping of its names."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    return runpy.run_path(str(PACKAGING / "build.py"), run_name="build")


def test_where_there_is_no_git_the_time_is_a_fixed_one(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert build["_time_of_commit"]() == "1700000000"


def test_a_program_that_is_still_open_is_one_sentence(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    new = tmp_path / "new" / "NegoPlatform"
    for folder in (new, tmp_path / "dist" / "NegoPlatform"):
        folder.mkdir(parents=True)
    monkeypatch.setattr(Path, "rename", refuse)

    with pytest.raises(SystemExit, match=r"cannot be replaced \(Access is denied\): close NegoPlatform"):
        build["_put"](new, tmp_path / "dist", tmp_path / "old")


@pytest.fixture
def licences() -> dict[str, Any]:
    """Module that collects the licence texts."""
    return runpy.run_path(str(PACKAGING / "licences.py"))


def test_the_licences_of_what_comes_along_come_along(licences: dict[str, Any]) -> None:
    texts = licences["licence_texts"](["PIL.Image", "click", "negoplatform.cli"], ["libtk8.6.so"])

    found = {(each.component, each.name): each.text for each in texts}
    assert "MIT-CMU" in found["pillow", "LICENSE"]
    assert ("click", "LICENSE.txt") in found
    assert "The NegoPlatform authors" in found["NegoPlatform", "LICENSE"]
    assert "SIL OPEN FONT LICENSE" in found["Inter, the font", "OFL.txt"]
    assert not [component for component, _ in found if "pydantic" in component]
    python = [text for (component, _), text in found.items() if component == "Python"]
    assert ["PYTHON SOFTWARE FOUNDATION" in text for text in python]
    if Path("/usr/share/doc/libtk8.6/copyright").is_file():
        assert "University of California" in found["libtk8.6", "copyright"]


def test_on_windows_the_texts_that_python_leaves_out_come_along(
    licences: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    texts = licences["licence_texts"](["click"], ["zlib1.dll"])

    found = {each.component: each.text for each in texts}
    for library in ("Expat", "zlib", "libmpdec"):
        assert library in found["Libraries of Python for Windows"]
    assert not [component for component in found if component.startswith("zlib1")]


@pytest.mark.skipif(not Path("/usr/share/common-licenses/GPL-2").is_file(), reason="needs Debian's files")
def test_a_licence_to_which_debian_only_refers_comes_along(licences: dict[str, Any]) -> None:
    assert licences["COMMON"].findall(
        "in /usr/share/common-licenses/GPL-2. See `/usr/share/common-licenses/Apache-2.0' and\n"
        "\u2018/usr/share/common-licenses/LGPL-2.1\u2019."
    ) == ["GPL-2", "Apache-2.0", "LGPL-2.1"]

    names = {each.name for each in licences["_of_debian_packages"](["liblzma5"])}

    assert {"copyright", "GPL-2"} <= names


def test_equal_licence_texts_are_in_the_file_once(licences: dict[str, Any]) -> None:
    text = licences["LicenceText"]

    written = licences["as_one_file"](
        [
            text("one", "LICENSE", "Do\nwhat you like."),
            text("two", "COPYING", "Do what  you like.\n"),
            text("two", "NOTICE", "By me."),
        ]
    )

    assert "one: 1\ntwo: 1, 2\n" in written
    assert written.count("you like") == 1
    assert "1: LICENSE of one" in written
    assert written.endswith("By me.\n")


def test_readline_whose_library_is_under_the_gpl_does_not_come_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))

    contents = runpy.run_path(str(PACKAGING / "contents.py"))

    assert "json" in contents["standard_library"]()
    assert "readline" not in contents["standard_library"]()
    assert "readline" in contents["LEFT_OUT"]  # or PyInstaller finds it where pdb imports it


# Packages for Linux


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], list[Path]]:
    """Function that packs a small program from a folder, and returns the archive and the package."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb makes packages for Debian and Ubuntu, and is not here")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.syspath_prepend(str(PACKAGING))
    packing = runpy.run_path(str(PACKAGING / "linux" / "pack.py"))
    program = tmp_path / "NegoPlatform"

    def do(name: str) -> list[Path]:
        before = os.umask(0o077)
        try:
            (program / "_internal").mkdir(parents=True, exist_ok=True)
            (program / "_internal" / "some.txt").write_text("words", encoding="utf-8")
            (program / "NegoPlatform").write_text("#!/bin/sh\n", encoding="utf-8")
            (program / "NegoPlatform").chmod(0o700)
            dist = tmp_path / name
            dist.mkdir()
            return [
                packing["write_archive"](program, dist),
                packing["write_package"](program, dist, tmp_path / "stage"),
            ]
        finally:
            os.umask(before)

    return do


def test_everybody_may_start_what_somebody_careful_has_packed(pack: Callable[[str], list[Path]]) -> None:
    archive, package = pack("dist")

    listings = (["tar", "-tvJf", str(archive)], ["dpkg-deb", "--contents", str(package)])
    for command in listings:
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        modes = {PurePosixPath(line.split()[5]).name: line.split()[0] for line in told}
        assert modes["NegoPlatform"] == "-rwxr-xr-x"
        assert modes["_internal"] == "drwxr-xr-x"
        assert modes["some.txt"] == "-rw-r--r--"
        assert not [mode for mode in modes.values() if mode[7] != "r"]
        assert {line.split()[1] for line in told} == {"root/root"}


def test_what_is_packed_twice_from_one_folder_is_the_same(pack: Callable[[str], list[Path]]) -> None:
    first, again = (
        [hashlib.sha256(path.read_bytes()).hexdigest() for path in pack(name)] for name in ("one", "two")
    )

    assert first == again


def test_a_session_log_is_known_by_how_it_begins_and_no_other_program_loses_its_files(tmp_path: Path) -> None:
    if not (shutil.which("update-mime-database") and shutil.which("gio")):
        pytest.skip("shared-mime-info and gio know kinds of files, and are not here")
    data, ours = tmp_path / "data", "application/x-negoplatform-log"
    (data / "mime" / "packages").mkdir(parents=True)
    shutil.copy(PACKAGING / "linux" / "negoplatform.xml", data / "mime" / "packages")
    subprocess.run(["update-mime-database", data / "mime"], check=True, capture_output=True)
    (tmp_path / "other.jsonl").write_text('{"reading": 1}\n', encoding="utf-8")
    for name in ("events.jsonl", "renamed.jsonl", "as-participant"):
        shutil.copy(LOG, tmp_path / name)

    def kind_of(name: str) -> str:
        command = ["gio", "info", "--attributes", "standard::content-type", str(tmp_path / name)]
        env = {**os.environ, "XDG_DATA_HOME": str(data)}
        told = subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout
        return told.rsplit(maxsplit=1)[-1]

    assert [kind_of(name) for name in ("events.jsonl", "renamed.jsonl", "as-participant")] == [ours] * 3
    assert kind_of("other.jsonl") != ours


# The program for macOS


def test_macos_learns_which_files_it_opens_and_where_its_fonts_are() -> None:
    recipe = ast.parse((PACKAGING / "negoplatform.spec").read_text(encoding="utf-8"))
    given = [
        node.value for node in ast.walk(recipe) if isinstance(node, ast.keyword) and node.arg == "info_plist"
    ]
    keys = plistlib.loads(plistlib.dumps(ast.literal_eval(given[0])))
    fonts = {Path(folder).as_posix() for source, folder in CONTENTS["own_data"]() if source.endswith(".otf")}

    assert keys["CFBundleDocumentTypes"][0]["CFBundleTypeExtensions"] == ["jsonl"]
    assert keys["CFBundleDocumentTypes"][0]["LSHandlerRank"] == "Alternate"
    assert {keys["ATSApplicationFontsPath"]} == fonts


def test_a_signed_program_may_load_libraries_of_agents_and_nothing_else_is_loosened() -> None:
    given = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())

    assert given == {
        "com.apple.security.cs.disable-library-validation": True,
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
    }


# Its signature


STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$TOLD"
case "$(basename "$0") $*" in
    plutil*) echo 0.1.0 ;;
    "xcrun notarytool submit"*) printf '  id: 12-34\\n  status: %s\\n' "$ANSWER" ;;
    "ditto -c"*) for last; do :; done; echo packed >"$last" ;;
esac
"""
"""Replacement of each of Apple's tools: it records its arguments and gives Apple's answer."""


@pytest.fixture
def sign(tmp_path: Path) -> Callable[[str], tuple[int, list[str]]]:
    """Function that signs a small program, given Apple's answer; returns exit code and tool calls."""
    inside = tmp_path / "dist" / "NegoPlatform.app" / "Contents"
    framework = inside / "Frameworks" / "Python.framework" / "Versions" / "3.12"
    for folder in (framework, inside / "MacOS", tmp_path / "tools", tmp_path / "packaging" / "macos"):
        folder.mkdir(parents=True)
    compiled = bytes.fromhex("cffaedfe") + bytes(60)
    for file in (
        framework / "Python",
        inside / "Frameworks" / "my lib.so",
        inside / "MacOS" / "NegoPlatform",
    ):
        file.write_bytes(compiled)
    (inside / "Frameworks" / "words.txt").write_text("words", encoding="utf-8")
    for name in ("codesign", "ditto", "plutil", "spctl", "xcrun"):
        (tmp_path / "tools" / name).write_text(STAND_IN, encoding="utf-8")
        (tmp_path / "tools" / name).chmod(0o755)
    shutil.copy(PACKAGING / "macos" / "sign.sh", tmp_path / "packaging" / "macos")

    def do(answer: str) -> tuple[int, list[str]]:
        told = tmp_path / "told.txt"
        env = {
            "PATH": f"{tmp_path / 'tools'}:/usr/bin:/bin",
            "IDENTITY": "me",
            "PROFILE": "mine",
            "TOLD": str(told),
            "ANSWER": answer,
        }
        command = ["sh", str(tmp_path / "packaging" / "macos" / "sign.sh")]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        return done.returncode, told.read_text(encoding="utf-8").splitlines()

    return do


@pytest.mark.skipif(sys.platform == "win32", reason="a script for macOS")
def test_all_that_is_compiled_is_signed_from_the_inside_out(
    sign: Callable[[str], tuple[int, list[str]]],
) -> None:
    code, told = sign("Accepted")

    signed = [line.rpartition("NegoPlatform.app")[2] for line in told if " --sign me" in line]
    assert code == 0
    assert set(signed[:3]) == {
        "/Contents/Frameworks/Python.framework/Versions/3.12/Python",
        "/Contents/Frameworks/my lib.so",
        "/Contents/MacOS/NegoPlatform",
    }
    assert signed[3:] == ["/Contents/Frameworks/Python.framework", ""]
    assert [line for line in told if line.startswith("xcrun stapler staple")]


@pytest.mark.skipif(sys.platform == "win32", reason="a script for macOS")
def test_what_apple_does_not_accept_is_not_ready(sign: Callable[[str], tuple[int, list[str]]]) -> None:
    code, told = sign("Invalid")

    assert code == 1
    assert told[-1] == "xcrun notarytool log 12-34 --keychain-profile mine"
