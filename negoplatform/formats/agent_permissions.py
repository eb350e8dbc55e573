"""Permissions that an agent's file declares beyond its seat, and the sandbox that its process reached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from negoplatform.formats.strict_json import StrictModel, preview

_HOST_AND_PORT = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})"
)

FULL_LANDLOCK = 6
"""Version of Landlock from which files, ports and signals to other processes are restricted."""


def _address(text: str) -> str:
    found = _HOST_AND_PORT.fullmatch(text)
    if found is None or not 0 < int(found[1]) < 65536:
        raise ValueError(f"this is a host with a port, such as api.example.org:443, not {preview(text)}")
    return text


def _folder_inside(text: str) -> str:
    path = PurePosixPath(text)
    plain = text.isprintable() and "\\" not in text and ":" not in text
    if not plain or path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(
            "this is a folder or a file in the agent's own folder, such as model or scratch, written with / "
            f"and without .., not {preview(text)}"
        )
    return path.as_posix()


Address = Annotated[str, Field(max_length=300), AfterValidator(_address)]
"""Host and port, such as ``api.example.org:443``."""

FolderInside = Annotated[str, Field(max_length=200), AfterValidator(_folder_inside)]
"""Folder or file in the agent's own folder."""


class AgentPermissions(StrictModel):
    """Permissions that an agent asks for in its ``agent.json``.

    Args:
        network: The services that it connects to. The system restricts the ports, not the hosts.
        read: Files and folders in its own folder that it reads. It may read its own folder in any case,
            unless something private is in it as well.
        write: Folders in its own folder that it writes; they are made if they are missing.
    """

    network: Annotated[tuple[Address, ...], Field(max_length=20)] = ()
    read: Annotated[tuple[FolderInside, ...], Field(max_length=20)] = ()
    write: Annotated[tuple[FolderInside, ...], Field(max_length=20)] = ()

    @property
    def ports(self) -> tuple[int, ...]:
        """TCP ports of the services, each once."""
        return tuple(dict.fromkeys(int(address.rpartition(":")[2]) for address in self.network))

    def __bool__(self) -> bool:
        return bool(self.network or self.read or self.write)


NO_PERMISSIONS = AgentPermissions.model_construct(network=(), read=(), write=())
"""Permissions of an agent that declares none."""


@dataclass(frozen=True, slots=True)
class SandboxLevel:
    """Sandbox that an agent's process reached, by what its system offers.

    Args:
        landlock: The version of Landlock in force; 0: none.
        seccomp: Whether system calls are filtered.
    """

    landlock: int = 0
    seccomp: bool = False

    @property
    def name(self) -> str:
        """``full``, ``partial`` or ``none``."""
        if self.landlock >= FULL_LANDLOCK and self.seccomp:
            return "full"
        return "partial" if self.landlock or self.seccomp else "none"

    @property
    def description(self) -> str:
        """The level in words, such as ``full (Landlock 7, system calls filtered)``."""
        if self.name == "none":
            return "none: agents can do what you can do on this computer"
        landlock = f"Landlock {self.landlock}" if self.landlock else "no Landlock"
        return f"{self.name} ({landlock}, system calls {'' if self.seccomp else 'not '}filtered)"


NO_SANDBOX = SandboxLevel()
"""Level of a system without a sandbox."""


def permission_words(permissions: AgentPermissions) -> dict[str, Any]:
    """Return the permissions as JSON values, without those that are not asked for."""
    return {name: list(asked) for name, asked in permissions.model_dump().items() if asked}
