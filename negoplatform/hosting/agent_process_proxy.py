"""An agent in a process of its own: nothing that it does there can hold up or end the program."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negoplatform.core.events import Event, clean_text
from negoplatform.core.visibility import Observer, visible_event, visible_game
from negoplatform.domain.agent_budget import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.formats.agent_protocol import (
    LONGEST_REQUEST,
    AgentRequestModel,
    AgentResponseModel,
    BadMessage,
    DescribedAgent,
    DescribeReplyModel,
    NotReadyReplyModel,
    ProcessReply,
    ReadyReplyModel,
    decode_reply,
    encode_chunks,
    encode_json_line,
    encode_message,
)
from negoplatform.formats.agent_steps import CallStep
from negoplatform.formats.events import encode_event
from negoplatform.formats.games import dump_game
from negoplatform.hosting.agent_runner import (
    LONGEST_FAILURE,
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
)
from negoplatform.hosting.child_process import ChildEnded, ChildProcess

HANG_MARGIN = 1.0
"""Seconds beyond the budget after which a process that nobody ended ends itself."""

RngState = tuple[int, tuple[int, ...], float | None]
"""Where a source of chance stands: ``random.Random.getstate()``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStartRequest:
    """Everything that an agent's process is told before the game.

    Args:
        seat: The agent's seat.
        game: The game; the process is told what the seat may see of it.
        file: The file of its class.
        class_name: Its class.
        sha256: The hash of that file; another file is refused.
        rng_state: Where its source of chance stands. Not a seed: from the session's follows what others drew.
        config: Its configuration, JSON values.
        environment: Keys that its settings name. They go over the wire alone: what a process is started
            with can be read by others.
        budget: What it may take.
        output: The file that takes what it prints; None: that is dropped.
    """

    seat: Seat
    game: GameSpec
    file: Path
    class_name: str
    sha256: str
    rng_state: RngState
    config: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    budget: AgentBudget = DEFAULT_BUDGET
    output: Path | None = None

    def encode(self) -> bytes:
        """The order as a line of the protocol.

        Raises:
            NegoError: If the configuration is no JSON, all of it is too long, a file's name is no UTF-8, or
                the file of the game's own state is not at hand.
        """
        game = visible_game(self.game, Observer(self.seat))
        document = {
            "kind": "start",
            "seat": self.seat,
            "agent": _python_file(self.file, self.sha256),
            "class_name": self.class_name,
            "config": dict(self.config),
            "environment": dict(self.environment),
            "game": dump_game(game),
            "state": _state_file(game),
            "chance": self.rng_state,
            "load_seconds": self.budget.load_seconds + HANG_MARGIN,
            "hang_seconds": self.budget.hard_seconds + HANG_MARGIN,
            "limits": _limits(self.budget),
            "output": _output_path(self.output),
        }
        try:
            line = encode_json_line(document)
        except (TypeError, ValueError) as error:
            raise NegoError(f"{self.file}: the agent's settings are no JSON ({error}).") from None
        if len(line) > LONGEST_REQUEST:
            raise NegoError(
                f"{self.game.name}: the game takes {len(line):,} bytes, and an agent's process is told "
                f"{LONGEST_REQUEST:,} at the most; make its tables smaller."
            )
        return line


class AgentProcess:
    """A mind in a process. Made warm by :meth:`spawn`, before it is known whose; then told by :meth:`start`.

    One thread at a time starts, asks and tells it; any thread stops it.
    """

    def __init__(self, child: ChildProcess) -> None:
        self.name = ""
        self.avatar = ""
        self.debriefing = ""
        self._child = child
        self._start_request: AgentStartRequest | None = None
        self._observer = Observer()
        self._request_count = 0

    @classmethod
    def spawn(cls, *, pipes: bool | None = None) -> AgentProcess:
        """A fresh interpreter that has loaded everything but an agent.

        Args:
            pipes: Whether it is joined by pipes in place of a socket; None: as the system needs it.

        Raises:
            NegoError: If it cannot be started.
        """
        return cls(ChildProcess(pipes=pipes))

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._child.alive

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._child.pid

    def start(self, request: AgentStartRequest) -> None:
        """Has the agent loaded, made and configured.

        After that ``name``, ``avatar`` and ``debriefing`` are what it says of itself.

        Raises:
            NegoError: If that fails or takes too long; the process is stopped then.
        """
        try:
            said = _exchange_first_message(self._child, request.encode(), request.budget, request.file)
            if not isinstance(said, ReadyReplyModel):
                raise NegoError(f"{request.file}: its process answered what it was not asked.")
        except BaseException:
            self.stop()
            raise
        self._start_request = request
        self._observer = Observer(request.seat)
        self.name = " ".join(clean_text(said.name).split()) or "Agent"
        self.avatar = clean_text(said.avatar)
        self.debriefing = clean_text(said.debriefing)

    def respond(self, request: AgentRequest) -> AgentResponse:
        """The agent's answer; never waits longer than the budget allows."""
        budget = self._require_started().budget
        self._request_count += 1
        began = time.monotonic()
        until = began + budget.hard_seconds
        try:
            self._child.send(b"".join(self._request_lines(request)), until)
            said = self._receive_response(until)
            steps = () if said.failure else tuple([_decode_step(form) for form in said.steps])
        except TimeoutError:
            return self._timed_out(request, budget.hard_seconds)
        except ChildEnded as error:
            return AgentResponse(request, failure=str(error), error=error, lost=True)
        except NegoError as error:
            sentence = clean_text(f"Its process sent what is no answer: {error}.")[:LONGEST_FAILURE]
            return AgentResponse(request, failure=sentence, error=error)
        if said.failure:
            failure = clean_text(said.failure)[:LONGEST_FAILURE]
            return AgentResponse(request, failure=failure, error=_error_with_trace(failure, said.trace))
        took = time.monotonic() - began
        if took > budget.soft_seconds:
            slow = f"It took {took:.1f} s to react; {budget.soft_seconds:g} s are allowed."
            return AgentResponse(request, steps, slow)
        return AgentResponse(request, steps)

    def notify(self, event: Event) -> None:
        """Tells the agent's process of an event that it need not answer."""
        until = time.monotonic() + self._require_started().budget.hard_seconds
        try:
            self._child.send(b"".join(self._event_lines(event)), until)
        except TimeoutError:
            self._child.kill_with_traceback("It did not read what it was told.")
        except ChildEnded:
            return  # the next question says so

    def stop(self) -> None:
        """Ends the process and everything that it started."""
        self._child.stop()

    def _require_started(self) -> AgentStartRequest:
        if self._start_request is None:
            raise NegoError("An agent's process is asked before it was started.")
        return self._start_request

    def _request_lines(self, question: AgentRequest) -> Iterator[bytes]:
        if question.call is None:
            yield from self._event_lines(question.stimulus)
        state = question.view.state
        ask = AgentRequestModel(
            id=self._request_count, call=question.call, version=state.version, t=state.t, now=question.now
        )
        yield encode_message(ask)

    def _event_lines(self, event: Event) -> Iterator[bytes]:
        """An event, once more through the filter: here it leaves the program."""
        seen = visible_event(event, self._observer)
        if seen is not None:
            yield from encode_chunks(encode_event(seen, ""))

    def _receive_response(self, until: float) -> AgentResponseModel:
        """The answer to the last question; answers to older ones, given too late, are dropped."""
        while True:
            said = decode_reply(self._child.receive(until))
            if time.monotonic() >= until:  # however much has come that nobody waits for any more
                raise TimeoutError("the process has not answered")
            if not isinstance(said, AgentResponseModel) or said.id > self._request_count:
                raise BadMessage("it answers what nobody asked")
            if said.id == self._request_count:
                return said

    def _timed_out(self, question: AgentRequest, seconds: float) -> AgentResponse:
        sentence = f"It did not react within {seconds:g} s."
        self._child.kill_with_traceback(sentence)
        error = AgentError(sentence)
        order = self._require_started()
        if order.output is not None:
            # The file was named while there was no log yet; since then it has moved, if the system let it.
            moved = f"{output_name(order.seat)} beside the session's log"
            place = order.output if order.output.exists() else moved
            error.add_note(f"Where it hung stands in {place}, if the system could say.")
        return AgentResponse(question, failure=sentence, error=error, lost=True)


def output_name(seat: Seat) -> str:
    """What the file is called that takes what a seat's agent prints, beside the session's log."""
    return f"agent-{seat}.txt"


def make_process(request: AgentStartRequest, *, spare: AgentProcess | None = None) -> AgentProcess:
    """An agent's process, ready to be asked.

    Args:
        request: What it is told.
        spare: A process that is warm; if it has ended in the meantime, a fresh one takes its place.

    Raises:
        NegoError: If the agent cannot be had.
    """
    process = spare if spare is not None and spare.alive else AgentProcess.spawn()
    process.start(request)
    return process


def discover_agents(
    file: Path, sha256: str, *, budget: AgentBudget = DEFAULT_BUDGET, output: Path | None = None
) -> list[DescribedAgent]:
    """The agents in a file, found out in a process of its own.

    Args:
        file: The file.
        sha256: Its hash; another file is refused.
        budget: What the process may take.
        output: The file that takes what it prints; None: that is dropped.

    Raises:
        NegoError: If the file cannot be loaded, or not in time.
    """
    document = {
        "kind": "describe",
        "file": _python_file(file, sha256),
        "load_seconds": budget.load_seconds + HANG_MARGIN,
        "limits": _limits(budget),
        "output": _output_path(output),
    }
    child = ChildProcess()
    try:
        said = _exchange_first_message(child, encode_json_line(document), budget, file)
    finally:
        child.stop()
    if not isinstance(said, DescribeReplyModel):
        raise NegoError(f"{file}: its process answered what it was not asked.")
    return [
        agent.model_copy(
            update={
                name: clean_text(getattr(agent, name)) for name in ("class_name", "description", "called")
            }
        )
        for agent in said.agents
    ]


def _exchange_first_message(
    child: ChildProcess, line: bytes, budget: AgentBudget, file: Path
) -> ProcessReply:
    """What a process says to its first order.

    Raises:
        NegoError: If it cannot do it, with its sentence.
    """
    until = time.monotonic() + budget.load_seconds
    try:
        child.send(b"".join(encode_chunks(line)), until)
        said = decode_reply(child.receive(until))
    except TimeoutError:
        child.kill_with_traceback("It was not ready in time.")
        raise NegoError(
            f"{file}: loading it took longer than {budget.load_seconds:g} s, so it was given up."
        ) from None
    except ChildEnded as ended:
        raise NegoError(f"{file}: loading it failed: {str(ended)[:1].lower()}{str(ended)[1:]}") from None
    except BadMessage as error:
        raise NegoError(f"{file}: its process sent what is no answer: {error}.") from None
    if isinstance(said, NotReadyReplyModel):
        raise _error_with_trace(clean_text(said.reason), said.trace)
    return said


def _error_with_trace(sentence: str, trace: str) -> AgentError:
    """An error that carries the trace of another process to the crash file."""
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


def _python_file(path: Path, sha256: str) -> dict[str, str]:
    place = str(path.resolve())
    if not _is_utf8(place):
        raise NegoError(
            f"{clean_text(place)}: the name of the file, or of a folder that it is in, is no UTF-8, so an "
            f"agent's process cannot be told of it; rename it."
        )
    return {"path": place, "sha256": sha256}


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _state_file(game: GameSpec) -> dict[str, str] | None:
    """The file of the game's own typed state, which its class was loaded from."""
    own = game.own_state
    if own is None or own.state_class is None:
        return None
    file = getattr(sys.modules.get(own.state_class.__module__), "__file__", None)
    if file is None:
        raise NegoError(f"{game.name}: the file {own.file} of the game's own state is not at hand.")
    return _python_file(Path(file), own.sha256)


def _output_path(path: Path | None) -> str | None:
    """The file's place as a process is told it; a link in the file's own place is not followed there."""
    if path is None:
        return None
    place = str(path.parent.resolve() / path.name)
    return place if _is_utf8(place) else None  # what is printed is not worth a session


def _limits(budget: AgentBudget) -> dict[str, int]:
    return {
        "memory_mb": budget.memory_mb,
        "cpu_seconds": budget.cpu_seconds,
        "file_mb": budget.file_mb,
    }
