"""The program of an agent's process: loads one agent, folds what its seat sees, and answers for it."""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar, assert_never

import negoplatform.agent_api.bidder
import negoplatform.agent_api.estimate  # noqa: F401 - loaded while nobody waits, for agents that use them
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.events import Event, EventType, Refusal, clean_text
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.errors import AgentError, NegoError, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_protocol import (
    LONGEST_FAULT,
    LONGEST_LINE,
    LONGEST_TRACE,
    AgentRequestModel,
    ChunkBuffer,
    ChunkModel,
    DescribeReplyModel,
    DescribeRequestModel,
    NotReadyReplyModel,
    ProcessReply,
    ProcessRequest,
    PythonFile,
    ReadyReplyModel,
    StartRequestModel,
    decode_request,
    encode_json_line,
    encode_message,
)
from negoplatform.formats.agent_steps import dump_callback, dump_step
from negoplatform.formats.events import decode_event
from negoplatform.formats.games import build_game
from negoplatform.hosting.agent_runner import (
    AgentRequest,
    AgentResponse,
    AgentRunner,
    ScheduledCall,
    failure_response,
)
from negoplatform.hosting.child_process import EXIT_OUT_OF_MEMORY, EXIT_PROTOCOL_ERROR
from negoplatform.hosting.process_limits import limit_process
from negoplatform.hosting.transport import READ_BYTES
from negoplatform.plugins.game_state_plugin import GAME_FILE, with_state_plugin
from negoplatform.plugins.loader import (
    discover_in_process,
    hash_of,
    load_agent_class,
    load_module,
    reported_avatar,
    reported_debriefing,
    reported_name,
)
from negoplatform.plugins.requirements import import_error_hint
from negoplatform.plugins.stdout_capture import redirect_output

T = TypeVar("T")

STACK_BYTES = 512 * 1024
"""The reading thread's; the usual megabytes would count as memory that the agent has taken."""


def serve() -> None:
    """Serves one agent until the program goes away or ends this process. Never returns."""
    wire = _StdioTransport()
    try:
        _handle_first_request(wire)
        os._exit(0)
    except MemoryError:
        os._exit(EXIT_OUT_OF_MEMORY)
    except BaseException:  # noqa: BLE001 - whatever it is, it is written down where an author looks
        with contextlib.suppress(BaseException):
            traceback.print_exc()
        os._exit(EXIT_PROTOCOL_ERROR)


class _StdioTransport:
    """The stdin and stdout of birth, kept where a plugin's prints and reads do not come by accident."""

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.close(nothing)
        # When told to by the program, or by the system at a segmentation fault: says where it stands.
        faulthandler.enable(2)
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        threading.stack_size(STACK_BYTES)
        threading.Thread(target=self._read, name="wire", daemon=True).start()
        threading.stack_size(0)

    def receive(self) -> bytes:
        """The next message, put together if it came in pieces."""
        return self._lines.get()

    def send(self, line: bytes) -> None:
        """Sends a message."""
        left = memoryview(line)
        while left:
            left = left[os.write(self._out, left) :]

    def _read(self) -> None:
        try:
            pieces, rest = ChunkBuffer(), b""
            while chunk := os.read(self._in, READ_BYTES):
                rest += chunk
                del chunk  # an agent that looks into this thread finds nothing of what was read
                rest = self._put_lines(rest, pieces)
        except OSError as error:
            if error.errno == errno.EBADF:  # the agent has closed it; whoever reads the other end cleans up
                os._exit(EXIT_PROTOCOL_ERROR)
        finally:
            # The program is gone, and whatever the agent is doing, nobody waits for it.
            _kill_process_group()

    def _put_lines(self, read: bytes, pieces: ChunkBuffer) -> bytes:
        """Puts whole messages where they are waited for; what is left of a line."""
        *lines, rest = read.split(b"\n")
        for line in lines:
            whole = pieces.feed(line)
            if whole is not None:
                self._lines.put(whole)
        return rest


def _kill_process_group() -> None:
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _receive_first_request(wire: _StdioTransport) -> ProcessRequest:
    """What the program orders first, with this process made ready for somebody's code.

    Without the file for what is printed: it lies beside the log, and no variable that an agent could come
    upon leads there.
    """
    order = decode_request(wire.receive())
    if not isinstance(order, DescribeRequestModel | StartRequestModel):
        return order
    with _watchdog(order.load_seconds):
        redirect_output(order.output)
        limits = order.limits
        limit_process(memory_mb=limits.memory_mb, cpu_seconds=limits.cpu_seconds, file_mb=limits.file_mb)
    return order.model_copy(update={"output": None})


def _handle_first_request(wire: _StdioTransport) -> None:
    """Does what the program orders first: describes a file, or sits down."""
    order = _receive_first_request(wire)
    match order:
        case DescribeRequestModel():
            with _watchdog(order.load_seconds):
                described = encode_message(_reply_or_failure(lambda: _describe(order)))
            wire.send(described)
            return
        case StartRequestModel():
            seated: list[_AgentSession] = []

            def start() -> ProcessReply:
                seated.append(_prepare_agent(order))
                agent = seated[0]
                return ReadyReplyModel(name=agent.name, avatar=agent.avatar, debriefing=agent.debriefing)

            with _watchdog(order.load_seconds):
                ready = encode_message(_reply_or_failure(start))
            wire.send(ready)
            while seated:
                seated[0].handle_line(wire.receive(), wire)
        case AgentRequestModel() | ChunkModel():
            raise AgentError("It was asked before it was told whose agent it is.")
        case _:
            assert_never(order)


@contextlib.contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Ends this process if it hangs where no thread of Python comes by, and nobody is left to end it.

    Where the user runs too many threads already to have this one more, nobody watches.
    """
    with contextlib.suppress(RuntimeError):
        faulthandler.dump_traceback_later(seconds, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _reply_or_failure(do: Callable[[], ProcessReply]) -> ProcessReply:
    """What an order comes to; a failure is a sentence with a trace."""
    try:
        return do()
    except NegoError as error:
        cause = error.__cause__ or error
        return NotReadyReplyModel(reason=text_of(error)[:LONGEST_FAULT], trace=_trace(cause))


def _describe(order: DescribeRequestModel) -> DescribeReplyModel:
    file = Path(order.file.path)
    _load(file, order.file.sha256)
    described = DescribeReplyModel(agents=discover_in_process(file, order.file.sha256))
    if len(encode_message(described)) <= LONGEST_LINE:
        return described
    # Rather no form for their settings than no agents; what is set is checked all the same.
    return DescribeReplyModel(
        agents=[agent.model_copy(update={"options": None}) for agent in described.agents]
    )


def _prepare_agent(order: StartRequestModel) -> _AgentSession:
    """The agent, loaded, made and configured, with an empty table before it."""
    observer = Observer(order.seat)
    game = visible_game(_load_game(order), observer)
    file = Path(order.agent.path)
    os.environ.update(order.environment)
    _load(file, order.agent.sha256)
    made_by = load_agent_class(file, order.class_name, order.agent.sha256)

    def make() -> NegotiationAgent:
        agent = made_by(order.seat)
        agent.configure(order.config)
        agent.check_game(game)
        return agent

    agent = _run(make, f"{file}: setting up the agent {order.class_name!r}", file)
    mind = AgentRunner(agent, order.rng())
    said = reported_name(agent), reported_avatar(agent), reported_debriefing(agent)
    return _AgentSession(*said, game, observer, mind, order.hang_seconds)


def _load(file: Path, sha256: str) -> None:
    """Loads a file on the main thread; whoever wants something of it finds it loaded."""
    _run(lambda: load_module(file, sha256), f"{file}: loading it", file)


def _run(call: Callable[[], T], what: str, file: Path) -> T:
    """Runs somebody else's code; who waits for this process has patience enough for both."""
    try:
        return call()
    except NegoError as error:
        raise AgentError(f"{what} failed: {error}") from error
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise AgentError(f"{what} failed: {place}{error.msg}.") from error
    except BaseException as error:
        steps = traceback.extract_tb(error.__traceback__)
        text = " ".join(text_of(error).split())[:300]
        about = f"{type(error).__name__}{f' ({text})' if text else ''}"
        advice = import_error_hint(error, file)
        raise AgentError(f"{what} failed: it raised {about} in line {steps[-1].lineno}.{advice}") from error


def _load_game(order: StartRequestModel) -> GameSpec:
    game = build_game(order.game, "the game")
    if order.state is None:
        return replace(game, own_state=None)
    return _with_state(game, order.state)


def _with_state(game: GameSpec, state: PythonFile) -> GameSpec:
    file = Path(state.path)
    if hash_of(file) == state.sha256:
        loaded = with_state_plugin(game, file.parent / GAME_FILE)
        if loaded.own_state is not None and loaded.own_state.sha256 == state.sha256:
            return loaded
    raise NegoError(f"{file} has changed since the game was chosen; choose it again.")


@dataclass
class _AgentSession:
    """An agent at work, and the session as its seat has seen it so far."""

    name: str
    avatar: str
    debriefing: str
    game: GameSpec
    observer: Observer
    runner: AgentRunner
    hang_seconds: float

    def __post_init__(self) -> None:
        self._mechanism = mechanism_of(self.game.mechanism)
        self._viewer = ViewProjector(self.observer, self.game)
        state = initial_state(self.game, self._mechanism)
        own = [self.observer.seat or ""]
        self._state = state._replace(
            private=state.private.restricted_to(own), typed=state.typed.restricted_to(own)
        )
        self._last: Event | None = None

    def handle_line(self, line: bytes, wire: _StdioTransport) -> None:
        """Folds an event in, or answers a question."""
        if line.startswith(b'{"seq":'):
            self._last = _decode_typed_event(line)
            self._state = apply(self._state, self._last, self._mechanism)
            return
        ask = decode_request(line)
        if not isinstance(ask, AgentRequestModel) or self._last is None:
            raise AgentError("It was asked what it cannot answer.")
        state = self._state._replace(version=ask.version, t=ask.t)
        question = AgentRequest(self._viewer.view(state), ask.now, self._last, ask.call)
        wire.send(_encode_response(ask.id, self._respond(question)))

    def _respond(self, question: AgentRequest) -> AgentResponse:
        with _watchdog(self.hang_seconds):
            try:
                return self.runner.respond(question)
            except BaseException as error:  # noqa: BLE001 - KeyboardInterrupt, which nobody can have pressed
                return failure_response(question, error)


def _decode_typed_event(line: bytes) -> Event:
    """The event of a line, the very value that it is at the table: there a type is no plain text."""
    event, _ = decode_event(line, "the program", "an event")
    payload = event.payload
    if isinstance(payload, Refusal):
        payload = replace(payload, action=_event_type(payload.action))
    return event._replace(type=_event_type(event.type), payload=payload)


def _event_type(name: str) -> str:
    return EventType(name) if name in EventType.__members__ else name


def _encode_response(number: int, answer: AgentResponse) -> bytes:
    if not answer.failure:
        try:
            steps = [
                dump_callback(step.number, step.delay_ms, bool(step.flushable))
                if isinstance(step, ScheduledCall)
                else dump_step(step)
                for step in answer.steps
            ]
            line = encode_json_line(_dump_response(number, steps))
            if len(line) <= LONGEST_LINE:
                return line
            raise AgentError(f"Its answer is {len(line):,} bytes long; {LONGEST_LINE:,} are the most.")
        except Exception as problem:  # noqa: BLE001 - values of somebody else's making
            answer = failure_response(answer.request, problem)
    trace = "" if answer.error is None else _trace(answer.error)
    return encode_json_line(_dump_response(number, [], answer.failure[:LONGEST_FAULT], trace))


def _dump_response(
    number: int, steps: list[dict[str, Any]], failure: str = "", trace: str = ""
) -> dict[str, Any]:
    return {"kind": "answer", "id": number, "steps": steps, "failure": failure, "trace": trace}


def _trace(error: BaseException) -> str:
    """The end of an error's trace, fit to be sent."""
    try:
        lines = traceback.format_exception(error, limit=-50)
        return clean_text("".join(lines))[-LONGEST_TRACE:]
    except BaseException:  # noqa: BLE001 - an error of somebody else's class may fail at being shown
        return f"{type(error).__name__}, which cannot be shown."
