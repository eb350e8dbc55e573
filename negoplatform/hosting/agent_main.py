"""Main program of an agent's process: loads one agent, folds the events of its seat, and answers for it."""

from __future__ import annotations

import contextlib
import json
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, assert_never

import negoplatform.agent_api.bidder
import negoplatform.agent_api.frequency_opponent_model  # noqa: F401 - loaded before there is a request, for agents that use them
from negoplatform.agent_api.base import NegotiationAgent, check_agent_plays
from negoplatform.core.events import Event, clean_text
from negoplatform.core.mechanisms.registry import MECHANISMS
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, parse_template
from negoplatform.core.visibility import Observer, observer_of, visible_game
from negoplatform.core.visible_fold import VisibleFold
from negoplatform.domain.errors import AgentError, NegoError, author_frame, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_actions import dump_callback, dump_step
from negoplatform.formats.agent_protocol import (
    LONGEST_FAULT,
    LONGEST_LINE,
    LONGEST_TRACE,
    AgentRequestModel,
    BadMessage,
    ChunkModel,
    DescribeReplyModel,
    DescribeRequestModel,
    NextRequestModel,
    NotReadyReplyModel,
    ProcessReply,
    ProcessRequest,
    ReadyReplyModel,
    SandboxedReplyModel,
    SandboxRulesModel,
    StartedReplyModel,
    StartRequestModel,
    StateFile,
    decode_request,
    decode_shared,
    encode_empty_answer,
    encode_json_line,
    encode_message,
)
from negoplatform.formats.events import decode_typed_event
from negoplatform.formats.games import build_game
from negoplatform.hosting.agent_output_redirection import open_output, redirect_output
from negoplatform.hosting.agent_runner import (
    LONGEST_FAILURE,
    AgentGame,
    AgentRequest,
    AgentResponse,
    AgentRunner,
    ScheduledCall,
    failure_response,
)
from negoplatform.hosting.agent_stdio import StdioTransport, watchdog
from negoplatform.hosting.child_process import EXIT_OUT_OF_MEMORY, EXIT_PROTOCOL_ERROR
from negoplatform.hosting.processes.process_limits import MEGABYTE, limit_process
from negoplatform.hosting.sandbox.process_sandbox import current_sandbox, enter_sandbox
from negoplatform.hosting.sandbox.refusal_hint import refusal_hint
from negoplatform.plugins.agent_loader import (
    discover_in_process,
    load_agent_class,
    load_module,
    reported_avatar,
    reported_debriefing,
    reported_name,
    unload_module,
)
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.plugins.game_state_loader import GAME_FILE, with_state_plugin
from negoplatform.plugins.requirements import import_error_hint

T = TypeVar("T")


def serve() -> None:
    """Serve one agent until the parent exits or ends this process. Never returns."""
    transport = StdioTransport()
    try:
        transport.send(encode_message(StartedReplyModel()))
        _handle_first_request(transport)
        os._exit(0)
    except MemoryError:
        os._exit(EXIT_OUT_OF_MEMORY)
    except BaseException:  # noqa: BLE001 - any error goes to the output file, where an author looks
        with contextlib.suppress(BaseException):
            traceback.print_exc()
        os._exit(EXIT_PROTOCOL_ERROR)


def _receive_first_request(transport: StdioTransport) -> ProcessRequest:
    """Return the first request, with this process in its sandbox and ready to run foreign code.

    The path of the output file is left out: it lies in the folder of the log, and no variable that an agent
    could come upon leads there.
    """
    request = _read_first_request(transport)
    if not isinstance(request, DescribeRequestModel | StartRequestModel):
        return request
    limits = request.limits
    redirect_output(_output_file(request, transport), longest=limits.file_mb * MEGABYTE)
    limit_process(memory_mb=limits.memory_mb, cpu_seconds=limits.cpu_seconds, file_mb=limits.file_mb)
    # No other thread has been started: a sandbox does not restrict those that run already.
    level = enter_sandbox(request.sandbox)
    transport.start_reader()
    transport.send(encode_message(SandboxedReplyModel(landlock=level.landlock, seccomp=level.seccomp)))
    return request.model_copy(update={"output": None, "sandbox": SandboxRulesModel()})


def _output_file(
    request: DescribeRequestModel | StartRequestModel | NextRequestModel, transport: StdioTransport
) -> int | None:
    """Return a descriptor of the file for the output; None: output is dropped.

    Only a transport that cannot pass the open file brings its path.
    """
    file = transport.take_file()
    return open_output(request.output) if file is None else file


def _read_first_request(transport: StdioTransport) -> ProcessRequest:
    """Return the first request; the line itself, which holds the path of the output file, is not kept.

    Raises:
        BadMessage: If it cannot be read; a sentence.
    """
    line = transport.receive_first()
    try:
        return decode_request(line)
    except BadMessage as error:
        raise BadMessage(_unreadable(line, error)) from None


def _unreadable(line: bytes, error: BadMessage) -> str:
    """Return why the first request cannot be read, as a sentence.

    The program has read the game itself, so a kind of game that is registered there alone is likely.
    """
    with contextlib.suppress(ValueError, LookupError, TypeError):
        kind = json.loads(line)["game"]["mechanism"]
        if kind not in MECHANISMS:
            return (
                f"The agent's process does not know the kind of game {kind!r}; register its mechanism in "
                "negoplatform/core/mechanisms/registry.py, so that every process knows it."
            )[:LONGEST_FAULT]
    return f"The agent's process cannot read a message: {error}."[:LONGEST_FAULT]


def _handle_first_request(transport: StdioTransport) -> None:
    """Handle the first request: describe a file, or start an agent and serve it."""
    try:
        request = _receive_first_request(transport)
    except BadMessage as error:
        transport.send(encode_message(NotReadyReplyModel(reason=str(error), trace="")))
        return
    match request:
        case DescribeRequestModel():
            with watchdog.watching(request.load_seconds):
                described = encode_message(_reply_or_failure(lambda: _describe(request)))
            transport.send(described)
            return
        case StartRequestModel():
            seated = _start_session(request.load_seconds, lambda: _prepare_agent(request), transport)
            while seated is not None:
                following = seated.handle_line(transport.receive(), transport)
                if isinstance(following, StartRequestModel):
                    seated = _start_again(request, following, transport)
                elif following is not None:
                    seated = _follow(seated, following, transport)
        case NextRequestModel() | AgentRequestModel() | ChunkModel():
            raise AgentError("A request came before the one that says which agent it is.")
        case _:
            assert_never(request)


def _start_session(
    seconds: float, prepare: Callable[[], _AgentSession], transport: StdioTransport
) -> _AgentSession | None:
    """Prepare a session of the agent, and send whether it is ready; None: it is not."""
    prepared: list[_AgentSession] = []

    def start() -> ProcessReply:
        session = prepare()
        prepared.append(session)
        return ReadyReplyModel(name=session.name, avatar=session.avatar, debriefing=session.debriefing)

    with watchdog.watching(seconds):
        ready = encode_message(_reply_or_failure(start))
    transport.send(ready)
    return prepared[0] if prepared else None


def _follow(
    session: _AgentSession, request: NextRequestModel, transport: StdioTransport
) -> _AgentSession | None:
    """Continue with the next game of the same agent; None: it cannot play it."""
    redirect_output(_output_file(request, transport), longest=session.longest_output)
    # As at the start, nothing that the agent can reach leads to the folder of the log.
    request = request.model_copy(update={"output": None})
    return _start_session(request.load_seconds, lambda: session.next_session(request), transport)


def _start_again(
    first: StartRequestModel, request: StartRequestModel, transport: StdioTransport
) -> _AgentSession | None:
    """Start the agent of this process afresh, for a game that has nothing to do with the one before.

    Its file is loaded again, so that neither the agent nor its module takes anything along.

    Raises:
        AgentError: If it is another agent, or has other limits; those of this process stay.
    """
    if (request.agent, request.class_name, request.limits) != (first.agent, first.class_name, first.limits):
        raise AgentError("A request is for another agent; a process has one agent.")
    redirect_output(_output_file(request, transport), longest=request.limits.file_mb * MEGABYTE)
    request = request.model_copy(update={"output": None})
    unload_module(Path(request.agent.path), request.agent.sha256)
    return _start_session(request.load_seconds, lambda: _prepare_agent(request), transport)


def _reply_or_failure(do: Callable[[], ProcessReply]) -> ProcessReply:
    """Return the reply to a request; a failure is a sentence with a traceback."""
    try:
        return do()
    except NegoError as error:
        cause = error.__cause__ or error
        return NotReadyReplyModel(reason=text_of(error)[:LONGEST_FAULT], trace=_trace(cause))


def _describe(request: DescribeRequestModel) -> DescribeReplyModel:
    file = Path(request.file.path)
    _load(file, request.file.sha256, without_permissions=True)
    described = DescribeReplyModel(agents=discover_in_process(file, request.file.sha256))
    if len(encode_message(described)) <= LONGEST_LINE:
        return described
    # Better no form for their settings than no agents; settings are checked all the same.
    return DescribeReplyModel(
        agents=[agent.model_copy(update={"options": None}) for agent in described.agents]
    )


def _prepare_agent(request: StartRequestModel) -> _AgentSession:
    """Load, make and configure the agent; return its session, without events so far."""
    whole = _load_game(request)
    observer = observer_of(whole, request.seat)
    game = visible_game(whole, observer)
    file = Path(request.agent.path)
    os.environ.update(request.environment)
    _load(file, request.agent.sha256)
    made_by = load_agent_class(file, request.class_name, request.agent.sha256)

    def make() -> NegotiationAgent:
        agent = made_by(request.seat)
        agent.configure(request.config)
        agent.is_adviser = request.advises
        check_agent_plays(agent, game)
        return agent

    agent = _run(make, f"{file}: setting up the agent {request.class_name!r}", file)
    runner = AgentRunner(agent, request.rng(), request.place())
    return _AgentSession(
        agent,
        file,
        game,
        observer,
        runner,
        request.hang_seconds,
        request.session_id,
        request.limits.file_mb * MEGABYTE,
        _initial_record(request),
    )


def _initial_record(request: StartRequestModel | NextRequestModel) -> Record:
    return parse_template(request.record) if request.record else EMPTY_RECORD


def _load(file: Path, sha256: str, *, without_permissions: bool = False) -> None:
    """Load a file on the main thread; later imports of it find it loaded."""
    what = f"{file}: loading it"
    _run(lambda: load_module(file, sha256), what, file, without_permissions=without_permissions)


def _run(call: Callable[[], T], what: str, file: Path, *, without_permissions: bool = False) -> T:
    """Run foreign code, without a time limit: the parent has one, and the watchdog another."""
    try:
        return call()
    except NegoError as error:
        fault = str(error).removeprefix(f"{file}: ")  # which begins the sentence already
        raise AgentError(f"{what} failed: {fault}") from error
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise AgentError(f"{what} failed: {place}{error.msg}.") from error
    except BaseException as error:
        frame = author_frame(error)
        line = "" if frame is None else f" in line {frame[0]}"
        text = " ".join(text_of(error).split())[:300]
        about = f"{type(error).__name__}{f' ({text})' if text else ''}"
        advice = import_error_hint(error, file) or refusal_hint(
            error, file, current_sandbox(), without_permissions=without_permissions
        )
        raise AgentError(f"{what} failed: it raised {about}{line}.{advice}") from error


def _load_game(request: StartRequestModel | NextRequestModel) -> GameSpec:
    game = build_game(request.game, "the game")
    if request.state is None:
        return replace(game, own_state=None)
    return _with_state(game, request.state)


def _with_state(game: GameSpec, state: StateFile) -> GameSpec:
    code, source = CodeFile(Path(state.path), state.sha256), state.source.encode("latin-1")
    return with_state_plugin(game, code.path.with_name(GAME_FILE), code=code, source=source)


@dataclass
class _AgentSession:
    """An agent at work, and the session as its seat has seen it so far."""

    agent: NegotiationAgent
    file: Path
    game: GameSpec
    observer: Observer
    runner: AgentRunner
    hang_seconds: float
    session_id: str
    longest_output: int
    record: Record = EMPTY_RECORD

    def __post_init__(self) -> None:
        self.name = reported_name(self.agent)
        self.avatar = reported_avatar(self.agent)
        self.debriefing = reported_debriefing(self.agent)
        self._seen = VisibleFold(self.game, self.observer, self.session_id, self.record)
        self._last: Event | None = None
        self._told: dict[int, Event] = {}

    def handle_line(
        self, line: bytes, transport: StdioTransport
    ) -> NextRequestModel | StartRequestModel | None:
        """Fold an event in, or answer a request; return the request for another game."""
        if line.startswith(b'{"seq":'):
            self._last = decode_typed_event(line, "the program", "an event")
            self._seen.apply(self._last)
            self._told[self._last.seq] = self._last
            return None
        ask = decode_request(line)
        if isinstance(ask, NextRequestModel | StartRequestModel):
            return ask
        if not isinstance(ask, AgentRequestModel) or self._last is None:
            raise AgentError("It was asked what it cannot answer.")
        view = self._seen.view(version=ask.version, t=ask.t, shared=decode_shared(ask.shared or {}))
        stimulus = self._last if ask.stimulus is None else self._told.get(ask.stimulus)
        if stimulus is None:
            raise AgentError("It was asked about an event that it was not told.")
        request = AgentRequest(view, ask.now, stimulus, ask.call)
        transport.send(_encode_response(ask.id, self._respond(request)))
        return None

    def next_session(self, request: NextRequestModel) -> _AgentSession:
        """Return the session of the next game of the same agent."""
        whole = _load_game(request)
        observer = observer_of(whole, request.seat)
        game = visible_game(whole, observer)
        following = AgentGame(
            seat=request.seat,
            game=game,
            rng_state=request.chance,
            round=request.place(),
            config=request.config,
        )
        _run(lambda: self.runner.begin_next(following), f"{self.file}: the next game of the agent", self.file)
        return replace(
            self,
            game=game,
            observer=observer,
            session_id=request.session_id,
            record=_initial_record(request),
        )

    def _respond(self, request: AgentRequest) -> AgentResponse:
        watchdog.watch(self.hang_seconds)
        try:
            response = self.runner.respond(request)
        except BaseException as error:  # noqa: BLE001 - also a KeyboardInterrupt, which cannot come from a keyboard here
            response = failure_response(request, error)
        if response.error is None:
            return response
        advice = refusal_hint(response.error, self.file, current_sandbox())
        return response._replace(failure=response.failure[: LONGEST_FAILURE - len(advice)] + advice)


def _encode_response(number: int, response: AgentResponse) -> bytes:
    if not response.steps and not response.failure:
        return encode_empty_answer(number) + b"\n"
    if not response.failure:
        try:
            steps = [
                dump_callback(step.number, step.delay_ms, bool(step.flushable))
                if isinstance(step, ScheduledCall)
                else dump_step(step)
                for step in response.steps
            ]
            line = encode_json_line(_dump_response(number, steps))
            if len(line) <= LONGEST_LINE:
                return line
            raise AgentError(f"Its answer is {len(line):,} bytes long; {LONGEST_LINE:,} are the most.")
        except Exception as problem:  # noqa: BLE001 - the values are the agent's
            response = failure_response(response.request, problem)
    trace = "" if response.error is None else _trace(response.error)
    return encode_json_line(_dump_response(number, [], response.failure[:LONGEST_FAULT], trace))


def _dump_response(
    number: int, steps: list[dict[str, Any]], failure: str = "", trace: str = ""
) -> dict[str, Any]:
    return {"kind": "answer", "id": number, "steps": steps, "failure": failure, "trace": trace}


def _trace(error: BaseException) -> str:
    """Return the end of an error's traceback, fit to be sent."""
    try:
        lines = traceback.format_exception(error, limit=-50)
        return clean_text("".join(lines))[-LONGEST_TRACE:]
    except BaseException:  # noqa: BLE001 - an error of a foreign class may fail at being shown
        return f"{type(error).__name__}, which cannot be shown."
