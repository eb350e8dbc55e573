"""A participant's seat in a live session, as the window has it: proposals go in, updates come out.

It leads to neither the session nor its plan: the queues hold values that belong to the participant, and
nothing else. An agent's response passes the session's thread by another queue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from negoplatform.app.session.participant_actions import ParticipantProposal
from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.visibility import View
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import ScriptStep


@dataclass(frozen=True, slots=True)
class ShownAdvice:
    """Piece of advice to the participant, or that their adviser has none now.

    Args:
        number: Its number, 1, 2, 3 … in the session; 0: there is no advice.
        steps: The advised actions, in order.
        has_stopped: Whether the adviser is no longer asked.
    """

    number: int
    steps: tuple[ScriptStep, ...]
    has_stopped: bool = False


NO_ADVICE_NOW = ShownAdvice(0, ())
"""State of an adviser without open advice."""


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """Update for the window.

    Args:
        view: The participant's present view.
        event: The event, as they may see it; None if there is none, and only the rest has changed.
        time_origin: ``time.monotonic()`` at which session time was 0.
        finished: Whether the session is over, including last messages.
        error_message: A sentence, if the session had to stop; empty otherwise.
        frozen: A sentence for the experimenter, while session time is stopped because nothing can be
            written; empty otherwise.
        paused: Whether session time is stopped because the participant reads the rules or the help.
        improvement: A better deal, once the game has ended and if its rules show it.
        absent: The seats of other people whose connections are lost.
        advice: The open advice of their adviser; None: there is no adviser.
    """

    view: View
    event: Event | None
    time_origin: float
    finished: bool = False
    error_message: str = ""
    frozen: str = ""
    paused: bool = False
    improvement: ParetoImprovement | None = None
    absent: tuple[Seat, ...] = ()
    advice: ShownAdvice | None = None


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """Stop session time while a page is read."""

    page: str


@dataclass(frozen=True, slots=True)
class UnpauseRequest:
    """Continue session time."""


@dataclass(frozen=True, slots=True)
class SaveDraftRequest:
    """Save the newest draft."""


@dataclass(frozen=True, slots=True)
class FinishClosingRequest:
    """End the closing: the participant is done."""


@dataclass(frozen=True, slots=True)
class AnswerAdvice:
    """Answer of the participant to advice.

    Args:
        number: The advice.
        used: Whether it was taken over into the offer builder or the message field; otherwise it is closed.
    """

    number: int
    used: bool


ParticipantEntry = (
    tuple[ParticipantProposal, ...]
    | PauseRequest
    | UnpauseRequest
    | SaveDraftRequest
    | FinishClosingRequest
    | AnswerAdvice
)
"""Values that the window puts into the session's queue: a script, or a request to the session's thread."""


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Entry of a person's window."""

    seat: Seat
    entry: ParticipantEntry


@dataclass(frozen=True, slots=True)
class PersonReady:
    """A person is ready; without a seat, the game begins at once."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class AgentResponded:
    """Pass on the oldest response of an agent, which waits in a queue of its own."""


@dataclass(frozen=True, slots=True)
class WindowRequested:
    """Handle the oldest request about a window in another process, which waits in a queue of its own."""


@dataclass(frozen=True, slots=True)
class ImprovementFound:
    """Result of the search for a better deal."""

    improvement: ParetoImprovement | None


@dataclass(frozen=True, slots=True)
class StopSession:
    """End the session."""


InboxEntry = SeatEntry | PersonReady | AgentResponded | WindowRequested | ImprovementFound | StopSession
"""Values that reach the session's thread: a participant's script, or a request to the thread itself.

The participant's window can reach this queue, so nothing in it leads to an agent or to the session.
"""


class ParticipantSeat:
    """Proposals and updates of one seat of a live session; all that the participant's window holds of it.

    Args:
        seat: The participant's seat.
        game: The game as this seat may see it.
        participant: The participant's code.
        updates: The updates for the window.
        on_start: Called when the game is to start or to be resumed.
        on_entry: Called with what the window puts into the session's queue.
        on_draft: Called with a draft to be saved.
    """

    def __init__(
        self,
        seat: Seat,
        game: GameSpec,
        participant: str,
        updates: SimpleQueue[SessionUpdate],
        *,
        on_start: Callable[[bool], object],
        on_entry: Callable[[ParticipantEntry], object],
        on_draft: Callable[[Mapping[str, Any]], object],
    ) -> None:
        self.seat, self.game, self.participant, self.updates = seat, game, participant, updates
        self._on_start, self._on_entry, self._on_draft = on_start, on_entry, on_draft

    def start(self) -> None:
        """Start or resume the game."""
        self._on_start(True)

    def propose(self, *script: ParticipantProposal) -> None:
        """Publish proposals to the session, which are carried out in order; a refusal drops the rest of them.

        Refusals reach the window as updates.
        """
        self._on_entry(script)

    def pause(self, page: str) -> None:
        """Stop session time while the participant reads a page."""
        self._on_entry(PauseRequest(page))

    def unpause(self) -> None:
        """Continue session time."""
        self._on_entry(UnpauseRequest())

    def finish_closing(self) -> None:
        """End the closing because the participant is done; without effect while the game runs."""
        self._on_entry(FinishClosingRequest())

    def answer_advice(self, number: int, *, used: bool) -> None:
        """Report that the participant used or dismissed a piece of advice."""
        self._on_entry(AnswerAdvice(number, used))

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """Queue what the participant has prepared, to be saved."""
        self._on_draft(draft)
        self._on_entry(SaveDraftRequest())
