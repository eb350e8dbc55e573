"""Protocol between the program and an agent's process: lines of JSON, up to 64 KB each.

An event is sent to the process as its log line; every other message has a ``kind``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
)

from negoplatform.agent_api.actions import MAX_SCRIPT_ACTIONS
from negoplatform.core.features.numeric_features import Feature, feature_class
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.rounds import SINGLE_ROUND, EarlierRound, Round
from negoplatform.domain.errors import AgentError
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.formats.agent_actions import ScriptStepModel, Serial
from negoplatform.formats.dataclass_codec import ModelOf, describe, load
from negoplatform.formats.games import GameModel
from negoplatform.formats.strict_json import FILE_LIMITS, JsonLimits, StrictModel, validate_message

LONGEST_LINE = 64 * 1024
"""Maximum size of a line in bytes, including its line break, in either direction."""

LONGEST_REQUEST = 4 * 1024 * 1024
"""Maximum size in bytes of a request that is sent in chunks; replies are never sent in chunks."""

CHUNK_LENGTH = LONGEST_LINE // 5
"""Characters of a chunk; it takes up to four times as many bytes."""

REQUEST_LIMITS = JsonLimits(max_depth=120, max_keys=200_000)
"""Limits of a request: a game and settings, each as large as a file may be, and written out in full."""

LONGEST_FAULT = 600
LONGEST_TRACE = 8_000
"""Maximum characters of a failure's sentence and of its trace; as JSON they may be several times as long."""

LONGEST_DEBRIEFING = 4000
"""Maximum characters of an agent's debriefing, which a participant reads after the session."""

LONGEST_AVATAR = 200
"""Maximum characters of the name of an agent's picture."""

WatchdogSeconds = Annotated[float, Field(gt=0, le=86_400)]


class BadMessage(AgentError):
    """Raised for a line that is not a message of the protocol; its text is the end of a sentence."""


# Requests of the program


class ProcessLimitsModel(StrictModel):
    """Resource limits that the process sets for itself before it loads an agent's code."""

    memory_mb: int
    cpu_seconds: int
    file_mb: int


class SandboxRulesModel(StrictModel):
    """Paths and ports that stay open to a process in its sandbox.

    Args:
        read: Files and folders that it may read and run.
        listed: Folders whose names it may list.
        write: Folders that it may write.
        ports: TCP ports that it may connect to; without any, it can make no sockets.
    """

    read: list[str] = Field(default_factory=list)
    listed: list[str] = Field(default_factory=list)
    write: list[str] = Field(default_factory=list)
    ports: list[Annotated[int, Field(gt=0, lt=65536)]] = Field(default_factory=list)


class PythonFile(StrictModel):
    """Python file with its expected hash."""

    path: str
    sha256: str


class StateFile(PythonFile):
    """File of a game's own typed state, with its content, because the process may not read a game's folder.

    Args:
        source: The bytes of the file as characters of Latin-1.
    """

    source: str


class DescribeRequestModel(StrictModel):
    """Request to load a file and list its agents.

    Args:
        file: The file.
        load_seconds: Seconds after which the process exits by itself, even if its parent is gone.
        limits: Resource limits of the process.
        sandbox: What the process may reach.
        output: The file for its output, where the transport cannot pass it open; None: output is dropped.
    """

    kind: Literal["describe"] = "describe"
    file: PythonFile
    load_seconds: WatchdogSeconds
    limits: ProcessLimitsModel
    sandbox: SandboxRulesModel
    output: str | None


# Whole numbers of points stay whole, as in the program itself.
describe(EarlierRound, points=float | int | None)

RoundForm = Annotated[Any, ModelOf(Round)]
"""Place of a game among those that an agent plays in a row."""


class _GameRequestModel(StrictModel):
    """Part of a request about one game.

    Args:
        seat: The agent's seat.
        session_id: The session's id.
        game: The game as visible to its seat.
        state: The file of the game's own typed state; None: the game has none.
        chance: State of its random number generator, from ``Random.getstate``.
        round: The place of the game among those that the agent plays in a row; None: it is a single game.
        record: The sections with which the session's record begins, as visible to its seat.
        output: The file for its output, where the transport cannot pass it open; None: output is dropped.
    """

    seat: str
    session_id: str = ""
    game: GameModel
    state: StateFile | None
    chance: tuple[int, tuple[int, ...], float | None]
    round: RoundForm = None
    record: dict[str, Any] = Field(default_factory=dict)
    output: str | None

    def rng(self) -> Random:
        """Return the random number generator of the seat."""
        rng = Random()
        rng.setstate(self.chance)
        return rng

    def place(self) -> Round:
        """Return the place of the game among those that the agent plays in a row."""
        return SINGLE_ROUND if self.round is None else load(Round, self.round)


class StartRequestModel(_GameRequestModel):
    """Request to load, create and configure an agent.

    Args:
        agent: The file of its class.
        class_name: Its class.
        config: Its configuration.
        advises: Whether it advises the person in its seat.
        environment: Credentials that its settings name, by environment variable.
        load_seconds: Seconds to become ready, after which the process exits, even if its parent is gone.
        hang_seconds: The same for one reaction.
        limits: Resource limits of the process.
        sandbox: What the process may reach.
    """

    kind: Literal["start"] = "start"
    agent: PythonFile
    class_name: str
    config: dict[str, Any]
    advises: bool = False
    environment: Annotated[dict[str, str], Field(default_factory=dict)]
    load_seconds: WatchdogSeconds
    hang_seconds: WatchdogSeconds
    limits: ProcessLimitsModel
    sandbox: SandboxRulesModel


class NextRequestModel(_GameRequestModel):
    """Request to play another game with the same agent, after the game before it.

    Args:
        config: Settings with which it is configured again; None: it keeps those that it has.
        load_seconds: Seconds to become ready, after which the process exits, even if its parent is gone.
    """

    kind: Literal["next"] = "next"
    config: dict[str, Any] | None = None
    load_seconds: WatchdogSeconds


class AgentRequestModel(StrictModel):
    """Request to answer the last event, or to call a callback.

    Args:
        id: Number of the request.
        call: Number of the callback; 0: the tick of a principal; None: answer the event.
        version: Version of the session's whole state, of which the process sees only a part.
        t: Time of that state.
        now: Session time in seconds.
        shared: Values of the features that the seat's allies share with it, by seat and feature; None: it has
            no such allies.
        stimulus: Number of the event, which came before others; None: it is the last one.
    """

    kind: Literal["ask"] = "ask"
    id: Serial
    call: Annotated[int, Field(ge=0, le=2**53)] | None
    version: Annotated[int, Field(ge=0)]
    t: float
    now: float
    shared: dict[str, dict[str, dict[str, Any]]] | None = None
    stimulus: Serial | None = None

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out the keys that most requests do not need: this is written with every event."""
        document: dict[str, Any] = write(self)
        for key in ("shared", "stimulus"):
            if document[key] is None:
                del document[key]
        return document


class ChunkModel(StrictModel):
    """Chunk of a line that is too long."""

    kind: Literal["piece"] = "piece"
    text: str
    last: bool


ProcessRequest = DescribeRequestModel | StartRequestModel | NextRequestModel | AgentRequestModel | ChunkModel


def encode_chunks(line: bytes) -> Iterator[bytes]:
    """Yield the lines in which a line is sent to the process: itself, or its chunks."""
    if len(line) <= LONGEST_LINE:
        yield line
        return
    text = line.decode("utf-8")
    for start in range(0, len(text), CHUNK_LENGTH):
        piece = ChunkModel(text=text[start : start + CHUNK_LENGTH], last=start + CHUNK_LENGTH >= len(text))
        yield encode_message(piece)


class ChunkBuffer:
    """Buffer that joins chunks to lines."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._length = 0

    def feed(self, line: bytes) -> bytes | None:
        """Return the original line; None while chunks are missing.

        Raises:
            BadMessage: If a chunk is malformed, or the whole is longer than a request may be.
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


# Replies of a process


class StartedReplyModel(StrictModel):
    """First line of a process, sent without a request: it has started, and no code of an agent is loaded."""

    kind: Literal["started"] = "started"


class SandboxedReplyModel(StrictModel):
    """First reply to a request: the sandbox that the process is in, before it loads an agent's code.

    Args:
        landlock: The version of Landlock in force; 0: none.
        seccomp: Whether system calls are filtered.
    """

    kind: Literal["sandboxed"] = "sandboxed"
    landlock: Annotated[int, Field(ge=0)]
    seccomp: bool


class ReadyReplyModel(StrictModel):
    """Reply that the agent is ready, with its own name, picture and debriefing, each empty if it has none."""

    kind: Literal["ready"] = "ready"
    name: Annotated[str, Field(max_length=40)]
    avatar: Annotated[str, Field(max_length=LONGEST_AVATAR)] = ""
    debriefing: Annotated[str, Field(max_length=LONGEST_DEBRIEFING)] = ""


class NotReadyReplyModel(StrictModel):
    """Reply that a request failed: a sentence, and the trace for the crash file."""

    kind: Literal["unready"] = "unready"
    reason: Annotated[str, Field(max_length=LONGEST_FAULT)]
    trace: Annotated[str, Field(max_length=LONGEST_TRACE)]


def _with_readable_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose properties, if it has any, are objects by their names.

    The process may send anything; what is no such object describes no setting.
    """
    properties = schema.get("properties")
    if properties is None:
        return {name: value for name, value in schema.items() if name != "properties"}
    named = properties.items() if isinstance(properties, dict) else ()
    return {**schema, "properties": {name: field for name, field in named if isinstance(field, dict)}}


class DescribedAgent(StrictModel):
    """Agent class in a file.

    Args:
        class_name: Its class.
        description: Its description, for the experimenter.
        called: Its own name, unless its settings have one; empty if asking for it failed.
        avatar: The name of its picture; empty for a plain one.
        mechanisms: The kinds of game that it plays.
        market_rules: The rules of phases of which a market needs one; none: it plays any market.
        options: Its settings as a JSON schema; None: it accepts any.
        role: Its role: ``seat``, ``principal``, or the kind of an assistant.
    """

    class_name: Annotated[str, Field(max_length=200)]
    description: Annotated[str, Field(max_length=4000)]
    called: Annotated[str, Field(max_length=40)] = ""
    avatar: Annotated[str, Field(max_length=LONGEST_AVATAR)] = ""
    mechanisms: list[Annotated[str, Field(max_length=60)]] = Field([BARGAINING], min_length=1, max_length=20)
    market_rules: list[Annotated[str, Field(max_length=60)]] = Field([], max_length=20)
    options: Annotated[dict[str, Any], AfterValidator(_with_readable_fields)] | None = None
    role: Literal["seat", "principal", "agenda", "insights", "debrief"] = "seat"


class DescribeReplyModel(StrictModel):
    """Reply with the agents in a file."""

    kind: Literal["described"] = "described"
    agents: Annotated[list[DescribedAgent], Field(max_length=100)]


class AgentResponseModel(StrictModel):
    """Reply to a request: a script, or a failure as a sentence with its trace."""

    kind: Literal["answer"] = "answer"
    id: Serial
    steps: Annotated[list[ScriptStepModel], Field(max_length=MAX_SCRIPT_ACTIONS)]
    failure: Annotated[str, Field(max_length=LONGEST_FAULT)]
    trace: Annotated[str, Field(max_length=LONGEST_TRACE)]


ProcessReply = (
    StartedReplyModel
    | SandboxedReplyModel
    | ReadyReplyModel
    | NotReadyReplyModel
    | DescribeReplyModel
    | AgentResponseModel
)

_CHUNK_ADAPTER: TypeAdapter[Any] = TypeAdapter(ChunkModel)
# Built on first use: the program reads only replies, and an agent's process only requests.
_ON_FIRST_USE = ConfigDict(defer_build=True)
_REQUEST_ADAPTER: TypeAdapter[Any] = TypeAdapter(
    Annotated[ProcessRequest, Field(discriminator="kind")], config=_ON_FIRST_USE
)
_REPLY_ADAPTER: TypeAdapter[Any] = TypeAdapter(
    Annotated[ProcessReply, Field(discriminator="kind")], config=_ON_FIRST_USE
)


def encode_empty_answer(number: int) -> bytes:
    """Return the reply to a request, without a line break, of an agent that does nothing, as most do."""
    return b'{"kind":"answer","id":%d,"steps":[],"failure":"","trace":""}' % number


def encode_message(message: ProcessRequest | ProcessReply) -> bytes:
    """Return a message as a line. Text that cannot be encoded as UTF-8 is replaced, as in a log.

    Raises:
        ValueError: If it holds NaN or an infinity.
    """
    return encode_json_line(message.model_dump(mode="json", by_alias=True))


def dump_shared(shared: Mapping[Seat, tuple[Feature, ...]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the features that allies share as JSON: values by field, by feature, by seat."""
    return {
        seat: {each.feature_name: each.to_dict() for each in features} for seat, features in shared.items()
    }


def decode_shared(document: Mapping[str, Mapping[str, Any]]) -> SeatMap[tuple[Feature, ...]]:
    """Return the features that :func:`dump_shared` wrote.

    Raises:
        NegoError: If there is no such feature, or a value does not fit.
    """
    return SeatMap(
        (seat, tuple(feature_class(name).from_dict(values) for name, values in features.items()))
        for seat, features in document.items()
    )


def encode_json_line(document: Mapping[str, Any]) -> bytes:
    """Return a JSON value as a line."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", "replace")


def decode_request(line: bytes) -> ProcessRequest:
    """Return the request of a line.

    Raises:
        BadMessage: If the line is too long, not JSON, or of no known shape.
    """
    request: ProcessRequest = _read(_REQUEST_ADAPTER, line, longest=LONGEST_REQUEST, limits=REQUEST_LIMITS)
    return request


def decode_reply(line: bytes) -> ProcessReply:
    """Return the reply of a line.

    Raises:
        BadMessage: If the line is too long, not JSON, or of no known shape.
    """
    reply: ProcessReply = _read(_REPLY_ADAPTER, line)
    return reply


def _read(
    adapter: TypeAdapter[Any], line: bytes, *, longest: int = LONGEST_LINE, limits: JsonLimits = FILE_LIMITS
) -> Any:
    try:
        return validate_message(adapter, line, longest=longest, limits=limits)
    except ValueError as fault:
        raise BadMessage(str(fault)) from None
