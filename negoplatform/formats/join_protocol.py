"""Protocol between a session and a window in another process: lines of JSON over TCP, each with a ``kind``.

    window                     host
    hello                  →
                           ←   challenge
    proof                  →
                           ←   welcome
    entry, ping, leave     →
                           ←   waiting, introduction, items, done, pong, goodbye

In place of the challenge or the welcome the host may send ``refused`` and close the connection. The models of
lines with values of a session (introduction, items, entry) are in ``app/joining/feed_lines.py``.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import JsonLimits, StrictModel, validate_message

JOIN_PROTOCOL = 1
"""Version of this protocol; windows and hosts of different versions refuse each other."""

DEFAULT_PORT = 47850
"""TCP port of a host, unless another is given."""

LONGEST_FIRST_LINE = 1024
"""Maximum size in bytes of a line before the window is admitted, in either direction."""

LONGEST_ENTRY_LINE = 64 * 1024
"""Maximum size in bytes of a line of a window that has been admitted."""

LONGEST_HOST_LINE = 16 * 1024 * 1024
"""Maximum size in bytes of a line of the host: an introduction holds a game, its stories and briefings."""

FIRST_LINE_LIMITS = JsonLimits(max_depth=4, max_keys=50)
ENTRY_LIMITS = JsonLimits(max_depth=100, max_keys=20_000)
HOST_LIMITS = JsonLimits(max_depth=130, max_keys=200_000)
"""Limits of the host's lines: wider than those of a log's lines, which they contain."""

LARGEST_NUMBER = 2**53

HexId = Annotated[str, Field(pattern=r"\A[0-9a-f]{32}\Z")]
"""128 bits as hexadecimal digits."""

HexProof = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\Z")]
"""256 bits as hexadecimal digits."""

Version = Annotated[str, Field(pattern=r"\A[0-9A-Za-z.+-]{1,40}\Z")]
EntryNumber = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]


class BadJoinLine(NegoError):
    """Raised for a line that is not a message of the protocol; its text is the end of a sentence."""


class LineTooLong(BadJoinLine):
    """Raised for a value that is too long for a line."""


class OtherProtocol(BadJoinLine):
    """Raised for a message of another version of the protocol.

    Args:
        protocol: The version of the peer's protocol.
        version: The version of the peer's program; empty if it does not say.
    """

    def __init__(self, protocol: int, version: str) -> None:
        super().__init__(f"it is of version {protocol} of the protocol, not of {JOIN_PROTOCOL}")
        self.protocol = protocol
        self.version = version


class RefusalReason(StrEnum):
    """Reason for which a host admits no window."""

    WRONG_CODE = "wrong_code"
    """No role has this code, or the code is not that of the role that was named."""
    AMBIGUOUS = "ambiguous"
    """The experimenter's code fits several roles with the given name."""
    DELAYED = "delayed"
    """A pause after failures of this address, in which no code from it is checked."""
    OTHER_PROTOCOL = "other_protocol"
    MALFORMED = "malformed"
    """A line that is none of this protocol."""


class GoodbyeReason(StrEnum):
    """Reason for which a host ends the connection of a window that it has admitted."""

    REPLACED = "replaced"
    """Another window has joined in the same role."""
    STOPPED = "stopped"
    """The host has ended."""
    MISUSED = "misused"
    """The window sent a line that its role may not send, or too many."""
    TOO_SLOW = "too_slow"
    """The window does not read what it is sent."""
    FAILED = "failed"
    """An error in the program of the host."""


class HelloModel(StrictModel):
    """First line of a window.

    Args:
        protocol: The version of the protocol.
        version: The version of the program.
        nonce: A random number that is used once.
        wanted: The role that is named with ``--as``; empty: the one that the code belongs to.
        ticket: The name of the resume token of an earlier connection; empty: there is none.
        window: The random id of the window's process, for which the numbers of its entries count.
    """

    kind: Literal["hello"] = "hello"
    protocol: int
    version: Version
    nonce: HexId
    wanted: Annotated[str, Field(max_length=150)] = ""
    ticket: HexId | Literal[""] = ""
    window: HexId


class ChallengeModel(StrictModel):
    """Answer of the host to a hello.

    Args:
        nonce: A random number that is used once.
        resumes: Whether the resume token is known, and is the key of both proofs in place of the code.
    """

    kind: Literal["challenge"] = "challenge"
    protocol: int
    version: Version
    nonce: HexId
    resumes: bool


class ProofModel(StrictModel):
    """Proof of a window that it has the key: an HMAC-SHA256 of both nonces and the role's name."""

    kind: Literal["proof"] = "proof"
    proof: HexProof


class WelcomeModel(StrictModel):
    """Admission of a window, with the proof that the host has the key too.

    Args:
        proof: HMAC-SHA256 of both nonces and the role.
        role_kind: The kind of the role.
        seat: Its seat; None for a role without one.
        ticket: The name of the resume token.
        masked_token: The resume token, masked with an HMAC of the code, so that it cannot be read along;
            empty if the window came back with it.
    """

    kind: Literal["welcome"] = "welcome"
    proof: HexProof
    role_kind: Literal["seat", "wizard", "experimenter", "public", "principal", "system"]
    seat: Annotated[str, Field(max_length=150)] | None
    ticket: HexId
    masked_token: HexId | Literal[""]


class RefusedModel(StrictModel):
    """Refusal of a window that is not admitted.

    Args:
        reason: The reason.
        seconds: Seconds until the host checks anything from this address again.
    """

    kind: Literal["refused"] = "refused"
    reason: RefusalReason
    seconds: Annotated[float, Field(ge=0, le=3600)] = 0.0
    protocol: int
    version: Version


class WaitingModel(StrictModel):
    """Report that there is no session at the moment; the window stays connected."""

    kind: Literal["waiting"] = "waiting"


class PingModel(StrictModel):
    """Sign of life of a window, which the host answers."""

    kind: Literal["ping"] = "ping"
    number: EntryNumber


class PongModel(StrictModel):
    """Answer to a ping, with the host's ``time.monotonic()``."""

    kind: Literal["pong"] = "pong"
    number: EntryNumber
    time: float


class LeaveModel(StrictModel):
    """Report that the window was closed."""

    kind: Literal["leave"] = "leave"


class DoneModel(StrictModel):
    """Acknowledgement of an entry; not accepted if it was meant for another session than the present one."""

    kind: Literal["done"] = "done"
    number: EntryNumber
    accepted: bool


class GoodbyeModel(StrictModel):
    """Last line of a host."""

    kind: Literal["goodbye"] = "goodbye"
    reason: GoodbyeReason


_ON_FIRST_USE = ConfigDict(defer_build=True)
_FIRST_LINES: TypeAdapter[Any] = TypeAdapter(
    Annotated[HelloModel | ProofModel, Field(discriminator="kind")], config=_ON_FIRST_USE
)
_FIRST_ANSWERS: TypeAdapter[Any] = TypeAdapter(
    Annotated[ChallengeModel | WelcomeModel | RefusedModel, Field(discriminator="kind")],
    config=_ON_FIRST_USE,
)


def encode_line(message: StrictModel) -> bytes:
    """Return a message as a line."""
    return encode_document(message.model_dump(mode="json"))


def encode_document(document: dict[str, Any]) -> bytes:
    """Return a JSON value as a line. Text that cannot be encoded as UTF-8 is replaced, as in a log.

    Raises:
        ValueError: If it holds NaN or an infinity.
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", "replace")


def decode_first_line(line: bytes) -> HelloModel | ProofModel:
    """Return a line of a window that is not admitted yet.

    Raises:
        OtherProtocol: If it is of another version of the protocol.
        BadJoinLine: If it is no such line.
    """
    _check_protocol(line)
    message: HelloModel | ProofModel = read_line(_FIRST_LINES, line, LONGEST_FIRST_LINE, FIRST_LINE_LIMITS)
    return message


def decode_first_answer(line: bytes) -> ChallengeModel | WelcomeModel | RefusedModel:
    """Return a line of the host before the window is admitted.

    Raises:
        OtherProtocol: If it is of another version of the protocol.
        BadJoinLine: If it is no such line.
    """
    _check_protocol(line)
    message: ChallengeModel | WelcomeModel | RefusedModel = read_line(
        _FIRST_ANSWERS, line, LONGEST_FIRST_LINE, FIRST_LINE_LIMITS
    )
    return message


def _check_protocol(line: bytes) -> None:
    """Raise OtherProtocol for a line of another version, whose other keys may be unknown here."""
    found = read_line(_ANY_OBJECT, line, LONGEST_FIRST_LINE, FIRST_LINE_LIMITS)
    protocol, version = found.get("protocol", JOIN_PROTOCOL), found.get("version", "")
    if isinstance(protocol, int) and 0 <= protocol <= LARGEST_NUMBER and protocol != JOIN_PROTOCOL:
        known = isinstance(version, str) and version.isascii() and version.isprintable()
        raise OtherProtocol(protocol, version[:40] if known else "")


_ANY_OBJECT: TypeAdapter[Any] = TypeAdapter(dict[str, Any], config=_ON_FIRST_USE)


def read_line(adapter: TypeAdapter[Any], line: bytes, longest: int, limits: JsonLimits) -> Any:
    """Return the message of a line.

    Raises:
        BadJoinLine: If it is too long, not JSON, or of no known shape.
    """
    try:
        return validate_message(adapter, line, longest=longest, limits=limits)
    except ValueError as fault:
        raise BadJoinLine(str(fault)) from None


class LineBuffer:
    """Bytes that have arrived, divided into lines of limited size.

    Args:
        longest: Maximum size of a line in bytes; it may be changed between two lines.
    """

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._data = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> None:
        """Add bytes."""
        self._data += data

    def next_line(self) -> bytes | None:
        """Return the next line without its line break; None until more bytes have arrived.

        Raises:
            BadJoinLine: If it is longer than a line may be.
        """
        end = self._data.find(b"\n", self._searched)
        self._searched = len(self._data)
        if (len(self._data) if end < 0 else end) > self.longest:
            raise BadJoinLine(f"it is longer than {self.longest:,} bytes")
        if end < 0:
            return None
        line = bytes(self._data[:end])
        del self._data[: end + 1]
        self._searched = 0
        return line
