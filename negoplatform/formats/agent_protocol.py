"""What the program and an agent's process say to each other: lines of JSON, 64 KB each at the most.

An event goes to the process as the line that a log would hold; what is no event has a ``kind``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from negoplatform.agent_api.actions import MAX_SCRIPT_ACTIONS
from negoplatform.domain.errors import AgentError, InputFileError
from negoplatform.formats.agent_steps import ScriptStepModel, Serial
from negoplatform.formats.games import GameModel
from negoplatform.formats.strict_json import FILE_LIMITS, JsonLimits, StrictModel, describe_error, parse_json

LONGEST_LINE = 64 * 1024
"""Bytes of a line, its line break included, in either direction."""

LONGEST_REQUEST = 4 * 1024 * 1024
"""Bytes of what the program may tell a process at once, in pieces; nothing else comes in pieces."""

CHUNK_LENGTH = LONGEST_LINE // 5
"""Characters of a piece; it takes up to four times as many bytes."""

REQUEST_LIMITS = JsonLimits(max_depth=120, max_keys=200_000)
"""What the program may tell: a game and settings, each as full as a file may be, and written out in full."""

LONGEST_FAULT = 600
LONGEST_TRACE = 8_000
"""Characters of a failure's sentence and of its trace; as JSON they may be several times as long."""

LONGEST_DEBRIEFING = 4000
"""Characters of what a participant reads about an agent after the session."""

LONGEST_AVATAR = 200
"""Characters of the name of an agent's picture."""

WatchdogSeconds = Annotated[float, Field(gt=0, le=86_400)]


class BadMessage(AgentError):
    """What came from an agent's process is no message of the protocol; the text is the end of a sentence."""


# What the program says


class ProcessLimitsModel(StrictModel):
    """What the process takes from itself before it loads anybody's code."""

    memory_mb: int
    cpu_seconds: int
    file_mb: int


class PythonFile(StrictModel):
    """A file of code, and what it is to hold."""

    path: str
    sha256: str


class DescribeRequestModel(StrictModel):
    """Load a file and say which agents are in it.

    Args:
        file: The file.
        load_seconds: After so long the process ends itself, whoever is left to end it.
        limits: What the process may take.
        output: The file for what it prints; None: what it prints is dropped.
    """

    kind: Literal["describe"] = "describe"
    file: PythonFile
    load_seconds: WatchdogSeconds
    limits: ProcessLimitsModel
    output: str | None


class StartRequestModel(StrictModel):
    """Load an agent, make it, configure it.

    Args:
        seat: Its seat.
        agent: The file of its class.
        class_name: Its class.
        config: Its configuration.
        environment: Keys that its settings name, by the variables in which it looks for them.
        game: The game as its seat may see it.
        state: The file of the game's own typed state; None: the game has none.
        chance: Where its source of chance stands, as ``Random.getstate`` says it.
        load_seconds: After so long without being ready the process ends itself, whoever is left to end it.
        hang_seconds: The same for one reaction.
        limits: What the process may take.
        output: The file for what it prints; None: what it prints is dropped.
    """

    kind: Literal["start"] = "start"
    seat: str
    agent: PythonFile
    class_name: str
    config: dict[str, Any]
    environment: Annotated[dict[str, str], Field(default_factory=dict)]
    game: GameModel
    state: PythonFile | None
    chance: tuple[int, tuple[int, ...], float | None]
    load_seconds: WatchdogSeconds
    hang_seconds: WatchdogSeconds
    limits: ProcessLimitsModel
    output: str | None

    def rng(self) -> Random:
        """The seat's source of chance."""
        rng = Random()
        rng.setstate(self.chance)
        return rng


class AgentRequestModel(StrictModel):
    """Answer the last event, or call a callback.

    Args:
        id: The question's number.
        call: The callback's number; None: the event is meant.
        version: The version of the session's whole state, which the process cannot know.
        t: The same state's time.
        now: Session time in seconds.
    """

    kind: Literal["ask"] = "ask"
    id: Serial
    call: Serial | None
    version: Annotated[int, Field(ge=0)]
    t: float
    now: float


class ChunkModel(StrictModel):
    """A piece of a line that is too long."""

    kind: Literal["piece"] = "piece"
    text: str
    last: bool


ProcessRequest = DescribeRequestModel | StartRequestModel | AgentRequestModel | ChunkModel


def encode_chunks(line: bytes) -> Iterator[bytes]:
    """The lines in which a line goes to the process: itself, or its pieces."""
    if len(line) <= LONGEST_LINE:
        yield line
        return
    text = line.decode("utf-8")
    for start in range(0, len(text), CHUNK_LENGTH):
        piece = ChunkModel(text=text[start : start + CHUNK_LENGTH], last=start + CHUNK_LENGTH >= len(text))
        yield encode_message(piece)


class ChunkBuffer:
    """Puts pieces together again."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._length = 0

    def feed(self, line: bytes) -> bytes | None:
        """A line as it was before it was broken; None while pieces are missing.

        Raises:
            BadMessage: If a piece is none, or the whole is longer than anything that may be told.
        """
        if not line.startswith(b'{"kind":"piece"'):
            return line
        piece: ChunkModel = _read(_CHUNK_ADAPTER, line)
        self._texts.append(piece.text)
        self._length += len(piece.text)
        if self._length > LONGEST_REQUEST:
            raise BadMessage(f"more than {LONGEST_REQUEST:,} characters in one message")
        if not piece.last:
            return None
        text, self._texts, self._length = "".join(self._texts), [], 0
        return text.encode("utf-8")


# What a process says


class ReadyReplyModel(StrictModel):
    """The agent is made and configured; its own name, picture and debriefing, empty where it has none."""

    kind: Literal["ready"] = "ready"
    name: Annotated[str, Field(max_length=40)]
    avatar: Annotated[str, Field(max_length=LONGEST_AVATAR)] = ""
    debriefing: Annotated[str, Field(max_length=LONGEST_DEBRIEFING)] = ""


class NotReadyReplyModel(StrictModel):
    """What was asked for cannot be had: a sentence, and the trace for the crash file."""

    kind: Literal["unready"] = "unready"
    reason: Annotated[str, Field(max_length=LONGEST_FAULT)]
    trace: Annotated[str, Field(max_length=LONGEST_TRACE)]


class DescribedAgent(StrictModel):
    """An agent in a file, before it is made.

    Args:
        class_name: Its class.
        description: What the experimenter reads about it.
        called: What it calls itself where its settings say nothing; empty if it cannot say.
        avatar: What its picture is, by name; empty for a plain one.
        options: What can be set, as a JSON schema; None: whatever it asks for.
    """

    class_name: Annotated[str, Field(max_length=200)]
    description: Annotated[str, Field(max_length=4000)]
    called: Annotated[str, Field(max_length=40)] = ""
    avatar: Annotated[str, Field(max_length=LONGEST_AVATAR)] = ""
    options: dict[str, Any] | None = None


class DescribeReplyModel(StrictModel):
    """The agents in a file."""

    kind: Literal["described"] = "described"
    agents: Annotated[list[DescribedAgent], Field(max_length=100)]


class AgentResponseModel(StrictModel):
    """The answer to a question: a script, or a failure in a sentence with its trace."""

    kind: Literal["answer"] = "answer"
    id: Serial
    steps: Annotated[list[ScriptStepModel], Field(max_length=MAX_SCRIPT_ACTIONS)]
    failure: Annotated[str, Field(max_length=LONGEST_FAULT)]
    trace: Annotated[str, Field(max_length=LONGEST_TRACE)]


ProcessReply = ReadyReplyModel | NotReadyReplyModel | DescribeReplyModel | AgentResponseModel

_CHUNK_ADAPTER: TypeAdapter[Any] = TypeAdapter(ChunkModel)
_REQUEST_ADAPTER: TypeAdapter[Any] = TypeAdapter(Annotated[ProcessRequest, Field(discriminator="kind")])
_REPLY_ADAPTER: TypeAdapter[Any] = TypeAdapter(Annotated[ProcessReply, Field(discriminator="kind")])


def encode_message(message: ProcessRequest | ProcessReply) -> bytes:
    """A message as a line. What of a text cannot be written as UTF-8 is replaced, as in a log.

    Raises:
        ValueError: If it holds a number that JSON cannot hold.
    """
    return encode_json_line(message.model_dump(mode="json", by_alias=True))


def encode_json_line(document: Mapping[str, Any]) -> bytes:
    """A message that is a JSON value already, as a line."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", "replace")


def decode_request(line: bytes) -> ProcessRequest:
    """What the program said.

    Raises:
        BadMessage: If it is too long, is no JSON, or is of no known shape.
    """
    told: ProcessRequest = _read(_REQUEST_ADAPTER, line, longest=LONGEST_REQUEST, limits=REQUEST_LIMITS)
    return told


def decode_reply(line: bytes) -> ProcessReply:
    """What a process said.

    Raises:
        BadMessage: If the line is too long, is no JSON, or is of no known shape.
    """
    said: ProcessReply = _read(_REPLY_ADAPTER, line)
    return said


def _read(
    adapter: TypeAdapter[Any], line: bytes, *, longest: int = LONGEST_LINE, limits: JsonLimits = FILE_LIMITS
) -> Any:
    if len(line) > longest:
        raise BadMessage(f"it is longer than {longest:,} bytes")
    try:
        parse_json(line, "the message", limits=limits)
        return adapter.validate_json(line)
    except InputFileError as problem:
        raise BadMessage(problem.reason) from None
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise BadMessage(f"it has no known shape ({describe_error(fault)[:200]})") from None
    except ValueError as error:  # a text that pydantic reads otherwise than Python does
        raise BadMessage(f"it cannot be read ({str(error)[:200]})") from None
