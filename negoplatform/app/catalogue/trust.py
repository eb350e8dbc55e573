"""Trust in the user's own Python files, by hash and permissions: only trusted files are run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import Field

import negoplatform
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.formats.agent_protocol import DescribedAgent
from negoplatform.formats.strict_json import StrictModel, parse_json, validate_json
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.code_file_trust_hash import CodeFile

DANGER = "It can do anything you can do on this computer."

CONTAINED = (
    "In the window it runs in a sandbox: it sees its own seat's part of the game and its own files, and "
    "nothing else on this computer. The commands check and simulate (without --isolated) run it inside the "
    "program, where it can do anything you can do."
)


def permissions_sentence(permissions: AgentPermissions) -> str:
    """Return what an agent may do beyond its seat, for people; empty if that is nothing."""
    parts = []
    for address in permissions.network:
        host, _, port = address.rpartition(":")
        parts.append(f"connect to port {port} of any computer (it names {host})")
    # In quotation marks, which no name can contain: a folder may be called "nothing".
    read, write = (
        ", ".join(f'"{name}"' for name in names) for names in (permissions.read, permissions.write)
    )
    asked = {"read in its folder": read, "write in its folder": write}
    parts += [f"{what} {names}" for what, names in asked.items() if names]
    return f"It may also {' · '.join(parts)}." if parts else ""


F = TypeVar("F", bound=StrictModel)


class TrustModel(StrictModel):
    """Stored data of a trusted file, under its hash.

    Args:
        path: Its place at that time.
        since: The time, as text for people.
        permissions: What its process may reach.
        in_program: Whether it may run inside the program. What was trusted before agents had a sandbox may.
    """

    path: str
    since: str
    permissions: AgentPermissions = NO_PERMISSIONS
    in_program: bool = True


class DiscoveredAgentsModel(StrictModel):
    """Stored data of the agents in a file, under its hash, as one version of the program found them."""

    version: str
    agents: list[DescribedAgent] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class TrustedFile:
    """Trusted file: its place at that time, and the time as text for people."""

    code: CodeFile
    since: str


class Trust:
    """Trusted files.

    Only the hash counts, whatever the file's place: the file that was reviewed is the file that is run. A
    file that changes is another file. What it is trusted with counts too: an agent that asks for more
    permissions, or code that is to run inside the program, is not trusted with that yet.

    Args:
        database: The store that keeps them.
        trusting: Files that a person trusts as of now. If the database cannot be written, they are trusted
            for as long as it is open.

    Raises:
        NegoError: If one of these files has changed since the person looked at it.
    """

    def __init__(self, database: KeyValueStore, trusting: Iterable[CodeFile] = ()) -> None:
        self._database = database
        for code in trusting:
            self.add(code)

    @property
    def is_unavailable(self) -> bool:
        """Whether the last read or write of the database failed."""
        return self._database.is_unavailable

    def is_trusted(self, code: CodeFile) -> bool:
        """Return whether a file is trusted, with all that it asks for."""
        held = self._held(code)
        if held is None or (code.in_program and not held.in_program):
            return False
        return held.permissions.includes(code.permissions)

    def was_ever_trusted(self, path: Path) -> bool:
        """Return whether a file at this place is or was trusted, with any content."""
        return any(file.code.path == path.resolve() for file in self.all())

    def add(self, code: CodeFile) -> None:
        """Trust a file from now on.

        Raises:
            NegoError: If it has changed since the person looked at it.
        """
        if hash_of(code.path) != code.sha256:
            raise NegoError(f"{code.display_path} has changed while you were asked; look at it again.")
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        # Added to what it is trusted with already: the same file may be in two places.
        held = self._held(code)
        form = TrustModel(
            path=_storable_path(code.path),
            since=since,
            permissions=code.permissions if held is None else held.permissions.joined_with(code.permissions),
            in_program=code.in_program or (held is not None and held.in_program),
        )
        self._database.write(_trust_key(code.sha256), json.dumps(form.model_dump()))

    def forget(self, path: Path) -> list[TrustedFile]:
        """Stop trusting a file, in its present and all earlier versions.

        Returns:
            The versions that were trusted until now.
        """
        there = hash_of(path) if path.is_file() else ""
        gone = [file for file in self.all() if file.code.sha256 == there or file.code.path == path.resolve()]
        for file in gone:
            self._database.delete(_trust_key(file.code.sha256))
        return gone

    def all(self) -> list[TrustedFile]:
        """Return all trusted files, sorted by path."""
        kept = (
            (sha256, _load_model(TrustModel, text))
            for sha256, text in self._database.read_prefix(_trust_key("")).items()
        )
        files = [
            TrustedFile(CodeFile(Path(form.path), sha256, form.permissions, form.in_program), form.since)
            for sha256, form in kept
            if form
        ]
        return sorted(files, key=lambda file: str(file.code.path))

    def _held(self, code: CodeFile) -> TrustModel | None:
        return _load_model(TrustModel, self._database.read(_trust_key(code.sha256)))


@contextmanager
def open_trust(data_dir: Path, report: Callable[[str], object]) -> Iterator[Trust]:
    """Open the trusted files of the user's folder.

    Args:
        data_dir: The user's folder.
        report: Called with a sentence if they cannot be read or kept.
    """
    with KeyValueStore(data_dir / FILE_NAME, report) as database:
        yield Trust(database)


def discover_cached(
    code: CodeFile, database: KeyValueStore, discover: Callable[[Path, str], list[DescribedAgent]]
) -> list[DescribedAgent]:
    """Return the agents in a file from the database, or else discover and store them.

    Args:
        code: The file.
        database: The store that keeps them.
        discover: Finds the agents, given the file and its hash.

    Raises:
        NegoError: If the file cannot be loaded.
    """
    key = f"agents_{code.sha256}"
    form = _load_model(DiscoveredAgentsModel, database.read(key))
    if form is not None and form.version == negoplatform.__version__:
        return form.agents
    found = discover(code.path, code.sha256)
    # A failure may not repeat: a package was missing, the computer was slow.
    if found:
        document = DiscoveredAgentsModel(version=negoplatform.__version__, agents=found).model_dump()
        database.write(key, json.dumps(document))
    return found


def _storable_path(path: Path) -> str:
    """Return a path as it is stored; bytes in it that are no UTF-8 are escaped."""
    return str(path.resolve()).encode("utf-8", "backslashreplace").decode("utf-8")


def _trust_key(sha256: str) -> str:
    return f"trust_{sha256}"


def _load_model(form: type[F], text: str | None) -> F | None:
    """Return the stored value of a key; None if it is missing or of another shape."""
    if text is None:
        return None
    try:
        parse_json(text, "the store")
        return validate_json(form, text, "the store")
    except NegoError:
        return None
