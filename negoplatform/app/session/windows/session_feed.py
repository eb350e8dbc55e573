"""Feeds of a live session for windows in other processes, and the entries that these windows send.

All of them are frozen values. A feed has what its role may see and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from negoplatform.app.session.participant_seat import ParticipantEntry, ShownAdvice
from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.visibility import EXPERIMENTER, PUBLIC, Observer, observer_of
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.domain.utility import Points
from negoplatform.formats.log_header import Header
from negoplatform.hosting.agent_runner import ScriptStep


class RoleKind(StrEnum):
    """Kind of role in which a window joins a session."""

    SEAT = "seat"
    WIZARD = "wizard"
    EXPERIMENTER = "experimenter"
    PUBLIC = "public"
    PRINCIPAL = "principal"
    """A principal's view, for people who watch what it sees."""
    SYSTEM = "system"
    """The view of the highest level: no preferences that a seat keeps to itself."""


@dataclass(frozen=True, slots=True)
class JoinRole:
    """Role in which a window joins a session.

    Args:
        kind: Its kind.
        seat: The person's seat, the one that the wizard operates, or the name of the principal; None for the
            other kinds.
    """

    kind: RoleKind
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """The name that ``join --as`` takes: that of the seat or the principal, or of the kind."""
        has_own_name = self.kind in (RoleKind.SEAT, RoleKind.PRINCIPAL)
        return self.seat if has_own_name and self.seat else self.kind.value

    @property
    def has_table(self) -> bool:
        """Whether its window shows the table of a seat: that of a person or of a wizard."""
        return self.kind in (RoleKind.SEAT, RoleKind.WIZARD)

    def observer_in(self, game: GameSpec) -> Observer:
        """Return the observer whose view the role has in a game."""
        match self.kind:
            case RoleKind.EXPERIMENTER:
                return EXPERIMENTER
            case RoleKind.PUBLIC:
                return PUBLIC
            case RoleKind.SYSTEM:
                return observer_of(game, SYSTEM)
            case _:
                return Observer() if self.seat is None else observer_of(game, self.seat)


# From the session


@dataclass(frozen=True, slots=True)
class SessionIntroduction:
    """Introduction of a window to the session, before the first event.

    Args:
        role: Its role.
        header: The header of the log as the role may see it.
        participant: The code of the person in the seat; empty for other roles, and for a wizard.
        names: The names of the other seats' occupants by seat; for the experimenter of all seats.
        avatars: The names of their pictures by seat; a seat may have none.
        debriefings: The texts for the person after the session, each with its source (``game`` or a seat).
        saved_draft: The unsent draft of a person who comes back; None: there is none.
        shows_briefing: Whether the rules are shown to the person before they are ready.
    """

    role: JoinRole
    header: Header
    participant: str = ""
    names: Mapping[Seat, str] = field(default_factory=dict)
    avatars: Mapping[Seat, str] = field(default_factory=dict)
    debriefings: tuple[tuple[str, str], ...] = ()
    saved_draft: Mapping[str, Any] | None = None
    shows_briefing: bool = True


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """Event of the session, as the role may see it."""

    event: Event


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """Status of the session that is no event.

    Args:
        session_time: Session time in seconds when it was made.
        running: Whether session time goes on.
        started: Whether the game has begun.
        finished: Whether the session is over, including last messages.
        error_message: A sentence, if the session had to stop; empty otherwise.
        frozen: A sentence for the experimenter, while nothing can be written; empty otherwise.
        paused: Whether session time is stopped because a participant reads.
        absent: The seats of people whose connections are lost.
        improvement: A better deal, once the game has ended and if its rules show it.
    """

    session_time: float
    running: bool
    started: bool
    finished: bool = False
    error_message: str = ""
    frozen: str = ""
    paused: bool = False
    absent: tuple[Seat, ...] = ()
    improvement: ParetoImprovement | None = None


@dataclass(frozen=True, slots=True)
class FeedSuggestion:
    """Script of the agent that waits for the wizard.

    Args:
        number: Its number, 1, 2, 3 … in the session.
        steps: Its steps, in order.
        expires_at: Session time (s) at which it times out; None: it does not.
    """

    number: int
    steps: tuple[ScriptStep, ...]
    expires_at: float | None


@dataclass(frozen=True, slots=True)
class FeedSuggestionClosed:
    """End of a suggestion's wait."""

    number: int
    verdict: SuggestionVerdict


@dataclass(frozen=True, slots=True)
class FeedWizard:
    """State of the wizard's seat.

    Args:
        mode: The mode.
        points: Each seat's points: of the result, or before the end of the offer on the table, or without
            one if the game ended now; None for a seat where there are none.
        is_raw_open: Whether the whole state has been opened; then its events follow as ``FeedRawEvent``.
    """

    mode: WizardMode
    points: Mapping[Seat, Points | None] = field(default_factory=dict)
    is_raw_open: bool = False


@dataclass(frozen=True, slots=True)
class FeedAssistant:
    """Annotations of an assistant that serves the wizard's seat.

    Args:
        name: The assistant's name.
        kind: Its kind.
        annotations: Its annotations now; JSON values.
    """

    name: str
    kind: AssistantKind
    annotations: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FeedAdvice:
    """Open advice to the person in a seat, or that there is none now; None: they have no adviser."""

    advice: ShownAdvice | None


@dataclass(frozen=True, slots=True)
class FeedShared:
    """Features that the allies of a seat share with it, where they have changed.

    Args:
        features: Their values as JSON: by ally, feature and field.
    """

    features: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FeedRawHeader:
    """Complete header of the log, for a wizard who has opened the whole state; events follow."""

    header: Header


@dataclass(frozen=True, slots=True)
class FeedRawEvent:
    """Event with everything that the log has of it, for a wizard who has opened the whole state."""

    event: Event


FeedItem = (
    FeedEvent
    | FeedStatus
    | FeedAdvice
    | FeedAssistant
    | FeedShared
    | FeedSuggestion
    | FeedSuggestionClosed
    | FeedWizard
    | FeedRawHeader
    | FeedRawEvent
)


# To the session


@dataclass(frozen=True, slots=True)
class StartRequest:
    """Report that the person has read the rules and is ready."""


@dataclass(frozen=True, slots=True)
class DraftEntry:
    """Draft of a person that is to be saved."""

    draft: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChangeWizardMode:
    """Operate the wizard's seat in another mode from now on."""

    mode: WizardMode


@dataclass(frozen=True, slots=True)
class AnswerSuggestion:
    """Answer of the wizard to a suggestion.

    Args:
        number: The suggestion.
        send: Whether it is performed; otherwise it is dropped.
        steps: The steps that are performed in place of the suggested ones; None: they are unchanged.
    """

    number: int
    send: bool
    steps: tuple[ScriptStep, ...] | None = None


@dataclass(frozen=True, slots=True)
class HoldSuggestion:
    """Stop the time-out of a suggestion while the wizard edits it, or start it again.

    Args:
        number: The suggestion.
        held: Whether it waits for as long as it takes.
    """

    number: int
    held: bool


@dataclass(frozen=True, slots=True)
class OpenWholeState:
    """Open the whole state of the session to the wizard; the log has a note of it."""


WizardEntry = ChangeWizardMode | AnswerSuggestion | HoldSuggestion | OpenWholeState

RemoteEntry = ParticipantEntry | StartRequest | DraftEntry | WizardEntry
"""Values that a window in another process puts into the session's queue.

A seat may send all but the wizard's; a wizard scripts (tuples) and the wizard's; other roles nothing.
"""


class JoinableSession(Protocol):
    """Session that windows in other processes can join. Every method may be called on any thread."""

    def introduction(self, role: JoinRole) -> SessionIntroduction:
        """Return what a window in a role gets first."""
        ...

    def attach(self, role: JoinRole, put: Callable[[FeedItem], object]) -> None:
        """Feed a window from now on: all events so far, the status, then each new item.

        Args:
            role: Its role; a seat and a wizard have one window at a time, and a new one replaces the old.
            put: Called with each item on the session's thread; must neither block nor raise.
        """
        ...

    def detach(self, role: JoinRole, put: Callable[[FeedItem], object], reason: str) -> None:
        """Stop feeding a window.

        Args:
            role: Its role.
            put: The function that it was attached with.
            reason: A short text for the log: how the connection ended.
        """
        ...

    def submit(self, role: JoinRole, entry: RemoteEntry) -> None:
        """Queue an entry of a window; what its role may not send is dropped."""
        ...
