"""Paths that an agent's process may read: Python, its libraries and the agent's own files."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import negoplatform
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_manifest import AGENT_FILE, MANIFEST_FILE
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions, service_address
from negoplatform.formats.agent_protocol import SandboxRulesModel
from negoplatform.plugins.program_and_user_folders import bundled, path_or_none, user_folder_if_any

_SYSTEM_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
_SYSTEM_FILES = (
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/usr/share/zoneinfo", "/usr/share/locale"),
    *("/dev/full", "/dev/random", "/dev/urandom", "/proc/cpuinfo", "/sys/devices/system/cpu"),
)
_NETWORK_FILES = (
    *("/etc/resolv.conf", "/run/systemd/resolve", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf"),
    *("/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates"),
    *("/usr/share/ca-certificates", "/usr/local/share/ca-certificates"),
)
"""Files by which names are looked up and certificates are checked."""

_private_places: set[Path] = set()
_shared_folders: set[Path] = set()

_DESKTOP_FOLDERS = ("Desktop", "Documents", "Downloads")
"""Names of the user's folders for files of all kinds, where the desktop has no others."""


def real_path(place: Path) -> Path:
    """Return the path without links; as far as it can be followed, whereas ``resolve`` fails at a loop.

    Raises:
        ValueError: If no file can have such a path.
    """
    return Path(os.path.realpath(place))


def keep_private(place: Path) -> None:
    """Never let an agent's process read a folder of this run, wherever the folder is.

    Args:
        place: A folder of sessions, or the user's folder.
    """
    _private_places.add(real_path(place))


def keep_apart(folder: Path) -> None:
    """Let no agent that lies right in a folder take it for its own: agents of other authors are in it."""
    _shared_folders.add(real_path(folder))


def sandbox_rules(
    file: Path,
    *,
    permissions: AgentPermissions = NO_PERMISSIONS,
    endpoints: Iterable[str] = (),
    private: Iterable[Path] = (),
) -> SandboxRulesModel:
    """Return what an agent's process may reach beyond its seat.

    Args:
        file: The agent's file.
        permissions: What its ``agent.json`` declares.
        endpoints: Addresses of services that its settings name.
        private: Further folders that it must not read.

    Raises:
        NegoError: If a folder that it is to write cannot be made, or is not the agent's alone.
    """
    file = real_path(file)
    personal = frozenset({*_own_folders(), *_private_places, *map(real_path, private)})
    closed = personal | _shipped_games() | _shared_folders
    read, listed = _readable_python(personal)
    ports = (*permissions.ports, *(int(service_address(url).rpartition(":")[2]) for url in endpoints))
    own = _own_files(file, permissions.read, closed)
    return SandboxRulesModel(
        read=[*read, *map(str, own), *(_NETWORK_FILES if ports else ())],
        listed=list(listed),
        write=[str(folder) for folder in _made_folders(file.parent, permissions, closed)],
        ports=list(dict.fromkeys(ports)),
    )


@cache
def _own_folders() -> frozenset[Path]:
    """Return the folders of the user that are private in every run.

    In the one for temporary files a log may be continued, and other programs keep what is theirs. An agent
    may have been saved right into the one for downloads.
    """
    own = [path_or_none(Path.home), user_folder_if_any(), *_desktop_folders()]
    with contextlib.suppress(OSError):  # there is none
        own.append(Path(tempfile.gettempdir()))
    return frozenset(real_path(place) for place in own if place is not None)


def _desktop_folders() -> Iterator[Path]:
    """Yield the user's folders for downloads, documents and the like, as the desktop names them.

    Source: https://www.freedesktop.org/wiki/Software/xdg-user-dirs/.
    """
    home = path_or_none(Path.home)
    if home is None:
        return
    yield from (home / name for name in _DESKTOP_FOLDERS)
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "user-dirs.dirs"
    with contextlib.suppress(OSError, ValueError):
        named = re.findall(r'^XDG_\w+_DIR="(?:\$HOME/)?([^"$]+)"', settings.read_text("utf-8"), re.MULTILINE)
        yield from (home / name for name in named)


@cache
def _shipped_games() -> frozenset[Path]:
    """Return the program's own folders with games and studies: they hold the preferences of all sides."""
    return frozenset(real_path(bundled(kind)) for kind in ("games", "studies", "instruments"))


def _own_files(file: Path, asked: Iterable[str], closed: frozenset[Path]) -> Iterator[Path]:
    """Yield the agent's files: its own one, and its folder if that belongs to it alone.

    A folder that also holds something private is not the agent's alone; then it reads what it has asked for,
    but not in a folder that is private itself, such as the home folder.
    """
    yield file
    if file.name != AGENT_FILE:
        return
    if not _contains(file.parent, closed):
        yield file.parent
        return
    for name in (MANIFEST_FILE, *(() if file.parent in closed else asked)):
        place = real_path(file.parent / name)
        if place.is_symlink():
            continue  # it leads to itself
        if place.is_relative_to(file.parent) and not _overlaps(place, file.parent, closed):
            yield place


def _made_folders(folder: Path, permissions: AgentPermissions, closed: frozenset[Path]) -> Iterator[Path]:
    for name in permissions.write:
        place = folder / name
        if folder in closed:
            raise NegoError(
                f"{place}: the agent asks to write in {folder}, which is not its alone; move the agent to a "
                "folder of its own."
            )
        try:
            # Before anything is made: what is made must not be elsewhere.
            target = real_path(place)
            inside, private = target.is_relative_to(folder), _overlaps(target, folder, closed)
            if inside and not private:
                place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NegoError(
                f"{place}: this folder, which the agent may write, cannot be made ({error.strerror})."
            ) from None
        if not inside:
            raise NegoError(f"{place} leads out of the agent's folder; replace the link by a folder.")
        if private:
            raise NegoError(
                f"{place}: the agent asks to write this folder, in which the program keeps sessions or "
                "settings; move the agent to a folder of its own."
            )
        yield target


def _overlaps(place: Path, folder: Path, closed: frozenset[Path]) -> bool:
    """Return whether a place in a folder is in something private there, or has something private in it."""
    there = [private for private in closed if private != folder and private.is_relative_to(folder)]
    return any(place.is_relative_to(private) or private.is_relative_to(place) for private in there)


@cache
def _readable_python(personal: frozenset[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files and folders of Python and its libraries, and folders that may only be listed.

    A folder of libraries in which the user has a private folder is left out altogether. One with a private
    file in it, such as a game, is read without that file.
    """
    read: list[Path] = [Path(place) for place in (*_SYSTEM_FILES, *_interpreter_files())]
    listed: list[Path] = []
    folders = frozenset(place for place in personal if not place.is_file())
    closed = _shipped_games() | (personal - folders)
    package = str(real_path(Path(negoplatform.__file__)).parent)
    for entry in dict.fromkeys(map(Path, (*_library_paths(), package, str(bundled("agents"))))):
        if not entry.is_absolute() or not os.path.exists(entry):  # noqa: PTH110 - Path.exists may fail
            continue
        place = real_path(entry)
        if _contains(place, folders):
            continue
        if not _contains(place, closed):
            read.append(place)
        else:
            listed.append(place)
            read += _open_parts(place, closed)
    return tuple(dict.fromkeys(map(str, read))), tuple(dict.fromkeys(map(str, listed)))


def _library_paths() -> Iterator[str]:
    yield from sys.path
    yield from _packaged_folder()
    yield from (str(Path(prefix) / "lib") for prefix in (sys.prefix, sys.base_prefix))
    yield from _SYSTEM_LIBRARIES
    yield from os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)


def _interpreter_files() -> Iterator[str]:
    for program in (sys.executable, getattr(sys, "_base_executable", sys.executable)):
        yield from (program, os.path.realpath(program))
    yield str(Path(sys.prefix) / "pyvenv.cfg")


def _packaged_folder() -> tuple[str, ...]:
    """Return the folder of the packaged program, if this is one."""
    folder = getattr(sys, "_MEIPASS", None)
    return () if folder is None else (str(folder),)


def _open_parts(folder: Path, closed: frozenset[Path]) -> Iterator[Path]:
    """Yield the parts of a folder in which nothing private is."""
    for place in sorted(folder.iterdir()):
        if not _contains(place, closed):
            yield place
        elif place.is_dir() and real_path(place) not in closed:
            yield from _open_parts(place, closed)


def _contains(place: Path, closed: frozenset[Path]) -> bool:
    """Return whether a place is private, or something private is in it."""
    place = real_path(place)
    return any(private == place or place in private.parents for private in closed)
