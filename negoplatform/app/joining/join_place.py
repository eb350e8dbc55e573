"""Place at which windows join: the server's address and port, and a code for each role."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from negoplatform.app.joining.join_codes import shown_code
from negoplatform.app.session.windows.session_feed import JoinRole
from negoplatform.domain.errors import NegoError
from negoplatform.formats.join_protocol import DEFAULT_PORT

if TYPE_CHECKING:
    from negoplatform.app.joining.join_server import JoinServer

ALL_NETWORKS = "0.0.0.0"
"""Address at which windows in every network of this computer can join."""

ANY_ADDRESSES = (ALL_NETWORKS, "::")

TEST_ADDRESS = ("192.0.2.1", 9)
"""Address of documentation (RFC 5737); naming it as a peer sends nothing."""


@dataclass(frozen=True, slots=True)
class JoinPlace:
    """Place at which windows join.

    Args:
        address: The address.
        port: The TCP port.
        codes: The codes of the roles.
    """

    address: str
    port: int
    codes: Mapping[JoinRole, str] = field(repr=False)

    @property
    def text(self) -> str:
        """The address as ``negoplatform join`` takes it."""
        address = bracketed(self.address)
        return address if self.port == DEFAULT_PORT else f"{address}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether windows of this computer alone can join."""
        return self.address in ("localhost", "::1") or self.address.startswith("127.")

    def command(self, role: JoinRole) -> str:
        """Return the command that joins in a role."""
        return f"negoplatform join {self.text} --code {shown_code(self.codes[role])}"


def bracketed(address: str) -> str:
    """Return an address as it is written before a port: an IPv6 address in brackets."""
    return f"[{address}]" if ":" in address else address


def reachable_address(address: str) -> str:
    """Return the address at which other computers find this one, if all its networks are listened at."""
    if address not in ANY_ADDRESSES:
        return address
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
            peer.connect(TEST_ADDRESS)
            found: str = peer.getsockname()[0]
            return found
    except OSError:  # no network at all
        return socket.gethostname()


def start_join_server(
    listen: str,
    codes: Mapping[JoinRole, str],
    report: Callable[[BaseException], object],
    earlier_port: int | None = None,
) -> tuple[JoinServer, JoinPlace]:
    """Start a server, and return it with the place at which windows join.

    Args:
        listen: The address to listen at, with a port or without one: then any free port, if the usual one is
            in use.
        codes: The codes of the roles.
        report: Called with an error of the program.
        earlier_port: The port of the server before, which is tried first where no port is named.

    Raises:
        NegoError: If the address cannot be listened at.
    """
    # Imported here: the window has this module, and few sessions are joined.
    from negoplatform.app.joining.join_link import parse_address
    from negoplatform.app.joining.join_server import JoinServer

    address, port = parse_address(listen)

    def start(port: int) -> JoinServer:
        server = JoinServer(address, port, codes, report=report)
        try:
            server.start()
        except NegoError:
            server.stop()
            raise
        return server

    ports = [port]
    if port == DEFAULT_PORT and not listen.strip().endswith(f":{DEFAULT_PORT}"):
        ports = [*([earlier_port] if earlier_port else []), port, 0]
    problems: list[NegoError] = []
    for each in ports:
        try:
            server = start(each)
            break
        except NegoError as problem:
            problems.append(problem)
    else:
        raise problems[0]
    return server, JoinPlace(reachable_address(address), server.port, codes)
