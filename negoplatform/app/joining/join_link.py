"""Connection of a window to a host: its address, the handshake, and the token for reconnection."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import negoplatform
from negoplatform.app.joining.join_admission import full_name
from negoplatform.app.joining.join_codes import (
    Nonces,
    ProofSide,
    draw_id,
    is_proof,
    make_proof,
    mask_token,
    parse_code,
)
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.domain.errors import NegoError
from negoplatform.formats.join_protocol import (
    DEFAULT_PORT,
    JOIN_PROTOCOL,
    LONGEST_FIRST_LINE,
    LONGEST_HOST_LINE,
    BadJoinLine,
    ChallengeModel,
    HelloModel,
    LineBuffer,
    OtherProtocol,
    ProofModel,
    RefusalReason,
    RefusedModel,
    WelcomeModel,
    decode_first_answer,
    encode_line,
)
from negoplatform.formats.strict_json import StrictModel, single_line

ANSWER_SECONDS = 5.0
"""Seconds in which a host has to answer."""

T = TypeVar("T")


class JoinDenied(NegoError):
    """Raised if another attempt would fail as well; a sentence."""


class LinkFailed(NegoError):
    """Raised if another attempt may succeed; a sentence.

    Args:
        sentence: The sentence.
        seconds: Seconds that the host asks to wait.
        is_address_fault: Whether the address may be wrong, if it has never been joined.
    """

    def __init__(self, sentence: str, *, seconds: float = 0.0, is_address_fault: bool = False) -> None:
        super().__init__(sentence)
        self.seconds = seconds
        self.is_address_fault = is_address_fault


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and the port of an address: ``HOST``, ``HOST:PORT``, ``[IPV6]:PORT`` or ``IPV6``.

    Raises:
        NegoError: If it is none; a sentence.
    """
    host, port = text.strip(), ""
    if host.startswith("["):
        host, closed, rest = host[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise NegoError(
                f"{single_line(text, 80)!r} is not an address; write HOST, HOST:PORT or [IPV6]:PORT."
            )
        port = rest[1:] if rest else ""
        has_port = bool(rest)
    else:
        has_port = host.count(":") == 1
        if has_port:
            host, _, port = host.partition(":")
    if not host or any(char.isspace() or char in "[]/@" for char in host):
        raise NegoError(f"{single_line(text, 80)!r} is not an address; write HOST, HOST:PORT or [IPV6]:PORT.")
    if not has_port:
        return host, DEFAULT_PORT
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise NegoError(f"The port of {single_line(text, 80)!r} is not a number from 1 to 65535.")
    return host, int(port)


TOKEN_FOLDER = "join_tokens"
"""Folder of the files with resume tokens, in the user's folder."""


LONGEST_KEPT = 7 * 24 * 3600.0
"""Seconds for which a file with a resume token is kept."""


def token_path(data_dir: Path, where: str, code: str, wanted: str) -> Path:
    """Return the file of a window's resume token; its name does not tell the code.

    Args:
        data_dir: The user's folder.
        where: The address of the host, as it was typed.
        code: The code, as it was typed.
        wanted: The role that is named.

    Raises:
        NegoError: If the code is none; a sentence.
    """
    # 32 bits of a hash are too few to find a code of 49 bits by them.
    found = sha256(json.dumps([where.strip(), parse_code(code), wanted]).encode()).hexdigest()[:8]
    return data_dir / TOKEN_FOLDER / f"{found}.json"


@dataclass(frozen=True, slots=True)
class ResumeToken:
    """Token with which a window comes back although codes from its address are not checked."""

    ticket: str
    token: bytes


class ResumeTokenFile:
    """File with the resume token of a window, readable by its user alone.

    Args:
        path: The file; None: the token is kept in memory.
        code: The code with which the window joins; the token of another code is not used.
        wanted: The role that is named; likewise.
        report: Called if the file cannot be written.
    """

    def __init__(
        self, path: Path | None, code: str, wanted: str, report: Callable[[BaseException], object]
    ) -> None:
        self._path, self._code, self._wanted, self._report = path, code, wanted, report
        self.token: ResumeToken | None = self._read()

    def save(self, token: ResumeToken | None) -> None:
        """Keep a token; None: forget it."""
        self.token = token
        if self._path is None:
            return
        try:
            if token is None:
                self._path.unlink(missing_ok=True)
            else:
                self._write(self._path, token)
        except OSError as error:
            self._report(error)

    def _read(self) -> ResumeToken | None:
        if self._path is None:
            return None
        try:
            found = json.loads(self._path.read_bytes()[:LONGEST_FIRST_LINE])
            token = ResumeToken(str(found["ticket"]), bytes.fromhex(found["token"]))
            is_ours = found["of"] == self._owner(token) and len(token.ticket) == 32
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return token if is_ours else None

    def _write(self, path: Path, token: ResumeToken) -> None:
        document = {"ticket": token.ticket, "token": token.token.hex(), "of": self._owner(token)}
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for other in path.parent.glob("*.json"):  # of windows that were killed and never came back
            if time.time() - other.stat().st_mtime > LONGEST_KEPT:
                other.unlink(missing_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(document, file)
        new.replace(path)

    def _owner(self, token: ResumeToken) -> str:
        """Return what shows that a token was given for the code and the role, and does not tell the code."""
        nonces = Nonces(token.ticket, "")
        return make_proof(token.token + self._code.encode(), ProofSide.WINDOW, nonces, self._wanted)


@dataclass(slots=True)
class JoinLink:
    """Connection of a window that was admitted.

    Args:
        peer: The socket, which does not block.
        lines: The bytes that have arrived.
        role: The role.
    """

    peer: socket.socket
    lines: LineBuffer
    role: JoinRole


class Handshake:
    """Admission of a window at a host.

    Args:
        host: The host's name or IP address.
        port: Its TCP port.
        code: The code, as :func:`parse_code` returns it.
        wanted: The role that is named; empty: the one that the code belongs to.
        window: The random id of the window's process.
        tokens: The resume token.
    """

    def __init__(
        self, host: str, port: int, code: str, wanted: str, window: str, tokens: ResumeTokenFile
    ) -> None:
        self._host, self._port = host, port
        self._code, self._wanted, self._window = code.encode(), wanted, window
        self._tokens = tokens
        self.where = single_line(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", 100)
        """The address for sentences."""

    def connect(self) -> JoinLink:
        """Connect, and return the connection once the window is admitted.

        Raises:
            JoinDenied: If another attempt would fail as well.
            LinkFailed: If another attempt may succeed.
        """
        peer = self._open()
        try:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            lines = LineBuffer(LONGEST_FIRST_LINE)
            role = self._introduce(peer, lines)
            lines.longest = LONGEST_HOST_LINE
            peer.setblocking(False)
        except BaseException:
            peer.close()
            raise
        return JoinLink(peer, lines, role)

    def _open(self) -> socket.socket:
        try:
            return socket.create_connection((self._host, self._port), timeout=ANSWER_SECONDS)
        except (socket.gaierror, UnicodeError):
            raise LinkFailed(
                f"The computer {single_line(self._host, 80)!r} was not found; check its name, or "
                "use its IP address.",
                is_address_fault=True,
            ) from None
        except ConnectionRefusedError:
            raise LinkFailed(
                f"No program listens at {self.where}; start the host first, and check the address.",
                is_address_fault=True,
            ) from None
        except TimeoutError:
            raise LinkFailed(
                f"{self.where} does not answer; check the address, the network and the firewall.",
                is_address_fault=True,
            ) from None
        except OSError as error:
            raise LinkFailed(
                f"{self.where} cannot be reached ({error.strerror}); check the address and the network.",
                is_address_fault=True,
            ) from None

    def _introduce(self, peer: socket.socket, lines: LineBuffer) -> JoinRole:
        """Exchange the first lines; return the role."""
        used = self._tokens.token
        hello = HelloModel(
            protocol=JOIN_PROTOCOL,
            version=negoplatform.__version__,
            nonce=draw_id(),
            wanted=self._wanted,
            ticket=used.ticket if used is not None else "",
            window=self._window,
        )
        challenge = self._ask(peer, lines, hello, ChallengeModel)
        nonces = Nonces(hello.nonce, challenge.nonce)
        key = used.token if used is not None and challenge.resumes else self._code
        proof = ProofModel(proof=make_proof(key, ProofSide.WINDOW, nonces, self._wanted))
        try:
            welcome = self._ask(peer, lines, proof, WelcomeModel)
        except JoinDenied:
            if key != self._code:
                # The token is of no use here; the code may be.
                self._tokens.save(None)
                raise LinkFailed(f"The host at {self.where} has no record of this window any more.") from None
            raise
        role = JoinRole(RoleKind(welcome.role_kind), welcome.seat)
        if not is_proof(key, ProofSide.HOST, nonces, full_name(role), welcome.proof):
            raise JoinDenied(
                f"The program at {self.where} does not have this code, so it is not the host that issued it."
            )
        if welcome.masked_token:
            token = mask_token(self._code, nonces, bytes.fromhex(welcome.masked_token))
            self._tokens.save(ResumeToken(welcome.ticket, token))
        return role

    def _ask(self, peer: socket.socket, lines: LineBuffer, line: StrictModel, expected: type[T]) -> T:
        """Send a line and return the answer."""
        try:
            peer.sendall(encode_line(line))
            answer = decode_first_answer(self._receive(peer, lines))
        except OtherProtocol as other:
            raise JoinDenied(self._describe_versions(other.protocol, other.version)) from None
        except BadJoinLine:
            raise JoinDenied(
                f"The program at {self.where} is not a host of NegoPlatform; check the port."
            ) from None
        except TimeoutError:
            raise LinkFailed(
                f"The program at {self.where} does not answer like a host; check the port.",
                is_address_fault=True,
            ) from None
        except OSError:
            raise LinkFailed(f"The host at {self.where} closed the connection.") from None
        if isinstance(answer, RefusedModel):
            raise self._refusal(answer)
        if not isinstance(answer, expected):
            raise JoinDenied(f"The program at {self.where} is not a host of NegoPlatform; check the port.")
        return answer

    def _receive(self, peer: socket.socket, lines: LineBuffer) -> bytes:
        until = time.monotonic() + ANSWER_SECONDS
        while (line := lines.next_line()) is None:
            peer.settimeout(max(0.001, until - time.monotonic()))
            data = peer.recv(LONGEST_FIRST_LINE)
            if not data:
                raise ConnectionResetError
            lines.feed(data)
        return line

    def _refusal(self, answer: RefusedModel) -> NegoError:
        wanted = single_line(self._wanted, 60)
        match answer.reason:
            case RefusalReason.DELAYED:
                return LinkFailed(
                    f"Wrong codes were sent from this computer’s address, so the host at {self.where} checks "
                    f"the next one in {answer.seconds:.0f} s.",
                    seconds=answer.seconds,
                )
            case RefusalReason.WRONG_CODE:
                if wanted:
                    return JoinDenied(
                        f"The host at {self.where} does not accept this code for the role {wanted!r}."
                    )
                return JoinDenied(f"The host at {self.where} does not accept this code.")
            case RefusalReason.AMBIGUOUS:
                return JoinDenied(
                    f"There are several roles called {wanted!r} in this session; name the seat as well, such "
                    f"as {wanted.partition(':')[0]}:SEAT."
                )
            case RefusalReason.OTHER_PROTOCOL:
                return JoinDenied(self._describe_versions(answer.protocol, answer.version))
            case RefusalReason.MALFORMED:
                return LinkFailed(f"The host at {self.where} could not read the first lines of this window.")

    def _describe_versions(self, protocol: int, version: str) -> str:
        theirs = f"NegoPlatform {version}" if version else f"protocol {protocol}"
        if protocol > JOIN_PROTOCOL:
            return (
                f"The host at {self.where} is newer ({theirs}) than this program "
                f"({negoplatform.__version__}); update this program."
            )
        return (
            f"The host at {self.where} is older ({theirs}) than this program "
            f"({negoplatform.__version__}); update the host."
        )


def close_quietly(peer: socket.socket) -> None:
    """Close a socket, whatever state it is in."""
    with suppress(OSError):
        peer.close()
