"""Proxies of agents that run in processes: nothing that happens there can block or end the program."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from negoplatform.core.events import Event, clean_text
from negoplatform.core.visibility import Observer, observer_of, visible_event
from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.visible_text import visible_name
from negoplatform.formats.agent_actions import CallStep
from negoplatform.formats.agent_permissions import NO_SANDBOX, SandboxLevel
from negoplatform.formats.agent_protocol import (
    AgentRequestModel,
    AgentResponseModel,
    BadMessage,
    DescribedAgent,
    DescribeReplyModel,
    NotReadyReplyModel,
    ProcessReply,
    ReadyReplyModel,
    SandboxedReplyModel,
    StartedReplyModel,
    decode_reply,
    dump_shared,
    encode_chunks,
    encode_empty_answer,
    encode_message,
)
from negoplatform.formats.events import encode_event
from negoplatform.hosting.agent_output_redirection import opened_output
from negoplatform.hosting.agent_process_requests import (
    AgentStartRequest,
    encode_describe,
    encode_next_game,
)
from negoplatform.hosting.agent_runner import (
    LONGEST_FAILURE,
    NO_REACTION,
    AgentGame,
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
)
from negoplatform.hosting.child_process import WRITE_TIMEOUT_MESSAGE, ChildEnded, ChildProcess
from negoplatform.plugins.agent_loader import describe_policy
from negoplatform.plugins.policy_files import is_policy_file

R = TypeVar("R", bound=ProcessReply)

START_SECONDS = 60.0
"""Seconds that the interpreter of a process may take to start; none of them count as loading of an agent.

It is ready in half a second; with a virus scanner, or on a busy machine, it takes many times as long.
"""


class AgentProcess:
    """Responder in a process: :meth:`spawn` makes it warm, before its agent is known; :meth:`start` loads it.

    Started again, the process loads its agent again, for a game that has nothing to do with the one before.
    One thread at a time calls it; any thread may stop it.
    """

    def __init__(self, child: ChildProcess) -> None:
        self.name = ""
        self.avatar = ""
        self.debriefing = ""
        self.sandbox = NO_SANDBOX
        self._child = child
        self._start_request: AgentStartRequest | None = None
        self._observer = Observer()
        self._request_count = 0

    @classmethod
    def spawn(cls, *, pipes: bool | None = None) -> AgentProcess:
        """Start an interpreter that loads everything but an agent.

        Args:
            pipes: Whether the transport is pipes rather than a socket; None: the system's default.

        Raises:
            NegoError: If the process cannot be started.
        """
        return cls(ChildProcess(pipes=pipes))

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._child.alive

    @property
    def pid(self) -> int:
        """Process id."""
        return self._child.pid

    def start(self, request: AgentStartRequest) -> None:
        """Load, make and configure the agent.

        Afterwards ``name``, ``avatar`` and ``debriefing`` are those that the agent declares, and ``sandbox``
        is the level that its process reached before it loaded the agent.

        Raises:
            NegoError: If that fails or takes too long; the process is stopped then.
        """
        try:
            again, with_output = self._start_request is not None, not self._child.passes_files
            line = request.encode(with_output=with_output, again=again)
            if again:
                reply = self._load(line, request, request.output)
            else:
                self._enter_sandbox(line, request)
                reply = self._load(b"", request, None)
        except BaseException:
            self.stop()
            raise
        self._start_request = request
        self._take_declared(reply, observer_of(request.game, request.seat))

    def _enter_sandbox(self, line: bytes, request: AgentStartRequest) -> None:
        """Wait until the process is in its sandbox, and watch what it starts from then on."""
        file, budget = request.file, request.budget
        _wait_until_started(self._child, file)
        self.sandbox = _wait_until_sandboxed(self._child, line, file, budget.load_seconds, request.output)
        self._child.watch_family(memory_mb=budget.memory_mb)

    def begin_next(self, following: AgentGame) -> None:
        """Have the same agent play another game.

        Raises:
            NegoError: If it cannot, or takes too long; the process is stopped then.
        """
        started = self._require_started()
        try:
            line = encode_next_game(started, following, with_output=not self._child.passes_files)
            reply = self._load(line, started, following.output)
        except BaseException:
            self.stop()
            raise
        self._start_request = replace(
            started, seat=following.seat, game=following.game, output=following.output, round=following.round
        )
        self._take_declared(reply, observer_of(following.game, following.seat))

    def _load(self, line: bytes, request: AgentStartRequest, output: Path | None) -> ReadyReplyModel:
        return _exchange(
            self._child,
            line,
            request.file,
            request.budget.load_seconds,
            doing="loading it",
            expected=ReadyReplyModel,
            output=output,
        )

    def _take_declared(self, reply: ReadyReplyModel, observer: Observer) -> None:
        self._observer = observer
        self.name = visible_name(reply.name) or "Agent"
        self.avatar = clean_text(reply.avatar)
        self.debriefing = clean_text(reply.debriefing)

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response; wait no longer than the budget allows."""
        budget = self._require_started().budget
        self._request_count += 1
        began = time.monotonic()
        until = began + budget.hard_seconds
        try:
            self._child.send(b"".join(self._request_lines(request)), until)
            reply = self._receive_response(until)
            steps = () if reply.failure else tuple([_decode_step(form) for form in reply.steps])
        except TimeoutError:
            return self._timed_out(request, budget.hard_seconds)
        except ChildEnded as error:
            return AgentResponse(request, failure=str(error), error=error, lost=True)
        except NegoError as error:
            sentence = clean_text(f"Its process sent what is no answer: {error}.")[:LONGEST_FAILURE]
            return AgentResponse(request, failure=sentence, error=error)
        if reply.failure:
            failure = clean_text(reply.failure)[:LONGEST_FAILURE]
            return AgentResponse(request, failure=failure, error=_error_with_trace(failure, reply.trace))
        took = time.monotonic() - began
        if took > budget.soft_seconds:
            slow = f"It took {took:.1f} s to react; {budget.soft_seconds:g} s are allowed."
            return AgentResponse(request, steps, slow)
        return AgentResponse(request, steps)

    def notify(self, event: Event) -> None:
        """Send the agent's process an event that it need not answer."""
        until = time.monotonic() + self._require_started().budget.hard_seconds
        try:
            self._child.send(b"".join(self._event_lines(event)), until)
        except TimeoutError:
            self._child.kill_with_traceback(WRITE_TIMEOUT_MESSAGE)
        except ChildEnded:
            return  # the response to the next request says so

    def stop(self) -> None:
        """End the process and all processes that it started."""
        self._child.stop()

    def _require_started(self) -> AgentStartRequest:
        if self._start_request is None:
            raise NegoError("An agent's process is asked before it was started.")
        return self._start_request

    def _request_lines(self, request: AgentRequest) -> Iterator[bytes]:
        if request.call is None and not request.is_told:
            yield from self._event_lines(request.stimulus)
        state = request.view.state
        shared = request.view.shared
        ask = AgentRequestModel(
            id=self._request_count,
            call=request.call,
            version=state.version,
            t=state.t,
            now=request.now,
            shared=dump_shared(shared) if shared else None,
            stimulus=request.stimulus.seq if request.is_told and request.call is None else None,
        )
        yield from encode_chunks(encode_message(ask))

    def _event_lines(self, event: Event) -> Iterator[bytes]:
        """Yield the lines of an event, filtered once more: here it leaves the program."""
        seen = visible_event(event, self._observer)
        if seen is not None:
            yield from encode_chunks(encode_event(seen, ""))

    def _receive_response(self, until: float) -> AgentResponseModel:
        """Return the response to the last request; late responses to older ones are dropped."""
        empty = encode_empty_answer(self._request_count)
        while True:
            line = self._child.receive(until)
            if time.monotonic() >= until:  # even if late responses keep coming
                raise TimeoutError("the process has not answered")
            if line == empty:
                return AgentResponseModel(id=self._request_count, steps=[], failure="", trace="")
            reply = decode_reply(line)
            if not isinstance(reply, AgentResponseModel) or reply.id > self._request_count:
                raise BadMessage("it answers what nobody asked")
            if reply.id == self._request_count:
                return reply

    def _timed_out(self, request: AgentRequest, seconds: float) -> AgentResponse:
        sentence = f"{NO_REACTION} {seconds:g} s."
        self._child.kill_with_traceback(sentence)
        error = AgentError(sentence)
        start_request = self._require_started()
        if start_request.output is not None:
            # The file was named before there was a log; since then it has moved, if the system let it.
            moved = f"{output_name(start_request.seat)} beside the session's log"
            place = start_request.output if start_request.output.exists() else moved
            error.add_note(f"Where it hung stands in {place}, if the system could say.")
        return AgentResponse(request, failure=sentence, error=error, lost=True)


def output_name(seat: Seat) -> str:
    """Return the name of the file, in the folder of the log, that takes the output of a seat's agent."""
    return f"agent-{seat}.txt"


def make_process(request: AgentStartRequest, *, spare: AgentProcess | None = None) -> AgentProcess:
    """Return an agent's process, ready for requests.

    Args:
        request: The agent and its settings.
        spare: A warm process; if it has ended in the meantime, a fresh one is used.

    Raises:
        NegoError: If the agent cannot be started.
    """
    process = spare if spare is not None and spare.alive else AgentProcess.spawn()
    process.start(request)
    return process


def discover_agents(
    file: Path, sha256: str, *, budget: AgentBudget = DEFAULT_BUDGET, output: Path | None = None
) -> list[DescribedAgent]:
    """Return the agents in a file, discovered in a separate process.

    The file of a trained policy has no code, so it is read in this one: a process for each takes long.

    Args:
        file: The file.
        sha256: The hash of the file; another file is refused.
        budget: The budget of the process.
        output: The file for its output; None: output is dropped.

    Raises:
        NegoError: If the file cannot be loaded, or not in time.
    """
    if is_policy_file(file):
        return [_with_clean_texts(agent) for agent in describe_policy(file, sha256)]
    child = ChildProcess()
    try:
        _wait_until_started(child, file)
        line = encode_describe(file, sha256, budget, output, with_output=not child.passes_files)
        seconds = budget.load_seconds
        _wait_until_sandboxed(child, line, file, seconds, output)
        child.watch_family(memory_mb=budget.memory_mb)
        reply = _exchange(child, b"", file, seconds, doing="loading it", expected=DescribeReplyModel)
    finally:
        child.stop()
    return [_with_clean_texts(agent) for agent in reply.agents]


def _with_clean_texts(agent: DescribedAgent) -> DescribedAgent:
    names = ("class_name", "description", "called")
    return agent.model_copy(update={name: clean_text(getattr(agent, name)) for name in names})


def _wait_until_started(child: ChildProcess, file: Path) -> None:
    """Wait until the interpreter of a process has started.

    Raises:
        NegoError: If it ends before that, or takes too long.
    """
    _exchange(child, b"", file, START_SECONDS, doing="starting its process", expected=StartedReplyModel)


def _wait_until_sandboxed(
    child: ChildProcess, line: bytes, file: Path, seconds: float, output: Path | None
) -> SandboxLevel:
    """Send a process its first request, and return the sandbox that it enters before it loads the agent.

    Raises:
        NegoError: If the process fails or takes too long.
    """
    reply = _exchange(
        child,
        line,
        file,
        seconds,
        doing="entering its sandbox",
        expected=SandboxedReplyModel,
        output=output,
    )
    return SandboxLevel(reply.landlock, reply.seccomp)


def _exchange(
    child: ChildProcess,
    line: bytes,
    file: Path,
    seconds: float,
    *,
    doing: str,
    expected: type[R],
    output: Path | None = None,
) -> R:
    """Send a process a request, if there is one, and return its reply.

    Args:
        child: The process.
        line: The request; empty: none.
        file: The file of the agent, for errors.
        seconds: Longest time until the reply.
        doing: What the process does meanwhile, for errors.
        expected: The reply that has to come.
        output: The file for its output from now on, which is passed open where the transport can do that.

    Raises:
        NegoError: If the process fails or takes too long, with a sentence.
    """
    until = time.monotonic() + seconds
    try:
        if line:
            with opened_output(output if child.passes_files else None) as opened:
                child.send(b"".join(encode_chunks(line)), until, opened)
        reply = decode_reply(child.receive(until))
    except TimeoutError:
        child.kill_with_traceback("It was not ready in time.")
        raise NegoError(f"{file}: {doing} took longer than {seconds:g} s, so it was given up.") from None
    except ChildEnded as ended:
        raise NegoError(f"{file}: {doing} failed: {str(ended)[:1].lower()}{str(ended)[1:]}") from None
    except BadMessage as error:
        raise NegoError(f"{file}: its process sent what is no answer: {error}.") from None
    if isinstance(reply, NotReadyReplyModel):
        raise _error_with_trace(clean_text(reply.reason), reply.trace)
    if not isinstance(reply, expected):
        raise NegoError(f"{file}: its process sent an answer that was not expected.")
    return reply


def _error_with_trace(sentence: str, trace: str) -> AgentError:
    """Return an error that takes the traceback of another process to the crash file."""
    error = AgentError(sentence)
    if trace:
        error.add_note(f"In the agent's process:\n{clean_text(trace)}")
    return error


def _decode_step(form: Any) -> ScriptStep:
    match form:
        case CallStep(number=number, delay_ms=delay_ms, flushable=flushable):
            return ScheduledCall(number, delay_ms, flushable)
        case _:
            step: ScriptStep = form.value()
            return step
