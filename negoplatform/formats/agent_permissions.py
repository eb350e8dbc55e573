"""Permissions that an agent's file declares beyond its seat, and the sandbox that its process reached."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from negoplatform.formats.strict_json import StrictModel, preview
from negoplatform.formats.windows_file_names import is_portable

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST_AND_PORT = re.compile(rf"({_LABEL}(?:\.{_LABEL})*|\[([0-9A-Fa-f:.]+)\]):([1-9][0-9]{{0,4}})")
_PLAIN_NAME = re.compile(r"[\w-][\w.-]*")
_OWN_FILES = ("agent.py", "agent.json")
_FILE_ENDINGS = frozenset(
    {
        ".txt",
        ".json",
        ".jsonl",
        ".csv",
        ".tsv",
        ".md",
        ".log",
        ".py",
        ".db",
        ".sqlite",
        ".pkl",
        ".npy",
        ".npz",
    }
)
"""Endings of names that no folder has."""

SandboxName = Literal["full", "partial", "none"]

FULL_LANDLOCK = 6
"""Version of Landlock from which files, ports and signals to other processes are restricted."""


def _address(text: str) -> str:
    found = _HOST_AND_PORT.fullmatch(text)
    if found is None or int(found[3]) > 65535 or not (found[2] is None or _is_ipv6(found[2])):
        raise ValueError(f"this is a host with a port, such as api.example.org:443, not {preview(text)}")
    return text.lower()


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _place_inside(text: str) -> str:
    parts = PurePosixPath(text).parts
    # On every system, as agents are passed on; and no hidden folders, whose files other programs may run.
    # A person reads them in a sentence, which names of several words could continue.
    plain = all(is_portable(part) and _PLAIN_NAME.fullmatch(part) for part in parts)
    if not parts or not plain:
        raise ValueError(
            "this is a folder or a file in the agent's own folder, such as model or data/scratch, written "
            "with / and with names of letters, digits, _, - and ., which do not begin with a dot, not "
            f"{preview(text)}"
        )
    return "/".join(parts)


def _folder_to_write(text: str) -> str:
    if text.lower() in _OWN_FILES:
        raise ValueError(f"an agent writes folders of its own, and not {text}")
    if PurePosixPath(text).suffix.lower() in _FILE_ENDINGS:
        raise ValueError(f"an agent writes folders, and {text} is named like a file; name its folder")
    return text


def _each_once(asked: tuple[str, ...]) -> tuple[str, ...]:
    for i, one in enumerate(asked):
        if one in asked[:i]:
            raise ValueError(f"{preview(one)} appears twice; keep one of them")
    return asked


Address = Annotated[str, Field(max_length=300), AfterValidator(_address)]
"""Host and port, such as ``api.example.org:443``."""

PlaceInside = Annotated[str, Field(max_length=200), AfterValidator(_place_inside)]
"""Folder or file in the agent's own folder, written with /."""

WrittenFolder = Annotated[PlaceInside, AfterValidator(_folder_to_write)]
"""Folder in the agent's own folder that it may change."""


class AgentPermissions(StrictModel):
    """Permissions that an agent asks for in its ``agent.json``.

    Args:
        network: The services that it connects to. The system restricts the ports, not the hosts.
        read: Files and folders in its own folder that it reads. It may read its own folder in any case,
            unless something private is in it as well.
        write: Folders in its own folder that it writes; they are made if they are missing.
    """

    network: Annotated[tuple[Address, ...], Field(max_length=20), AfterValidator(_each_once)] = ()
    read: Annotated[tuple[PlaceInside, ...], Field(max_length=20), AfterValidator(_each_once)] = ()
    write: Annotated[tuple[WrittenFolder, ...], Field(max_length=20), AfterValidator(_each_once)] = ()

    @property
    def ports(self) -> tuple[int, ...]:
        """TCP ports of the services, each once."""
        return tuple(dict.fromkeys(int(address.rpartition(":")[2]) for address in self.network))

    def __bool__(self) -> bool:
        return bool(self.network or self.read or self.write)

    def includes(self, others: AgentPermissions) -> bool:
        """Return whether nothing among the others is missing here."""
        return all(set(asked) <= set(getattr(self, key)) for key, asked in permission_words(others).items())

    def joined_with(self, others: AgentPermissions) -> AgentPermissions:
        """Return these permissions and the others."""
        joined: dict[str, Any] = {
            key: tuple(dict.fromkeys((*getattr(self, key), *getattr(others, key)))) for key in _KEYS
        }
        return AgentPermissions.model_construct(**joined)


_KEYS = ("network", "read", "write")

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
    def name(self) -> SandboxName:
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


def service_address(url: str) -> str:
    """Return the host and port of a service, as permissions name them; an IPv6 address is in brackets."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


def permission_words(permissions: AgentPermissions) -> dict[str, list[str]]:
    """Return the permissions as JSON values, without those that are not asked for."""
    asked = {key: list(getattr(permissions, key)) for key in _KEYS}
    return {key: found for key, found in asked.items() if found}
