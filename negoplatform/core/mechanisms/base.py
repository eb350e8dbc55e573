"""Interface of the rules of a kind of game; session, log, hosting and window use nothing else of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from negoplatform.core.events import (
    Announced,
    Ending,
    Event,
    EventType,
    ExpressionShown,
    Message,
    Nothing,
    Typing,
    announced,
    shared_data,
)
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points


class ActAudience(StrEnum):
    """The seats that see an act."""

    EVERYONE = "everyone"
    """All seats."""
    SENDER = "sender"
    """The acting seat alone."""
    ONE_SEAT = "one seat"
    """The acting seat, and the one other seat that the act is addressed to."""
    CHOSEN = "chosen"
    """The acting seat, and those that it is addressed to; everyone unless it is addressed."""


EVERYONE: Final = ActAudience.EVERYONE
"""Member for code that runs at every event, as in ``core/events.py``."""


class ActRule(NamedTuple):
    """Type of act that seats may perform.

    Args:
        payload_class: The class of its payload, a frozen dataclass. It refuses wrong values when it is
            created, so that whatever a session receives can be written and read again.
        audience: The seats that see it.
        flushes: Whether it makes the waiting flushable actions of the other seats pointless.
        in_transcript: Whether it leaves an entry in the transcript of those that see it.
        intention: A word for what its sender intends, for the tables; empty: none.
        has_consequences: Whether anything may follow from it at once; the mechanism is not asked otherwise.
    """

    payload_class: type[Any]
    audience: ActAudience = ActAudience.EVERYONE
    flushes: bool = False
    in_transcript: bool = True
    intention: str = ""
    has_consequences: bool = True


COMMON_ACTS: Mapping[str, ActRule] = MappingProxyType(
    {
        EventType.SEND_MESSAGE: ActRule(Message, ActAudience.CHOSEN, flushes=True),
        EventType.SEND_EXPRESSION: ActRule(ExpressionShown),
        EventType.TYPING: ActRule(Typing, in_transcript=False),
        EventType.FORMAL_QUIT: ActRule(Nothing, flushes=True, intention="quit"),
    }
)
"""Acts that seats may perform in every kind of game."""


class Fact(NamedTuple):
    """Event that the platform has to record, because of an act or because of the time.

    Args:
        type: GAME_END, or one of the mechanism's types of fact, in small letters.
        payload: An Ending, or Announced data.
        to: The seats that see it; none means everyone.
    """

    type: str
    payload: Ending | Announced
    to: tuple[Seat, ...] = ()

    def matches(self, event: Event) -> bool:
        """Return whether an event records this fact: data are compared, not their text."""
        if event.sender != PLATFORM or (event.type, event.to) != (self.type, self.to):
            return False
        mine, theirs = self.payload, event.payload
        if isinstance(mine, Announced) and isinstance(theirs, Announced):
            return mine.text == theirs.text and (
                mine.json == theirs.json or shared_data(mine.json) == shared_data(theirs.json)
            )
        return bool(mine == theirs)


def fact(kind: str, data: Mapping[str, Any], *, to: tuple[Seat, ...] = (), text: str = "") -> Fact:
    """Return a fact of the mechanism's own.

    Args:
        kind: Its type, in small letters.
        data: JSON values.
        to: The seats that see it; none means everyone.
        text: The same in words, for people; empty: people are shown nothing.
    """
    return Fact(kind, announced(data, text), to)


def game_end(ending: Ending) -> Fact:
    """Return the fact that the game ends."""
    return Fact(EventType.GAME_END, ending)


class Mechanism(ABC):
    """The rules of one kind of game. They are stateless: every answer follows from the session's state.

    Class attributes:
        name: The name that game files use.
        acts: The types of act of this kind of game, besides :data:`COMMON_ACTS`.
        facts: The mechanism's own types of fact, in small letters, and whether each leaves an entry in the
            transcript of those that see it.
        confidential_facts: Those of its facts that tell a seat its own preferences. Those above the seat
            do not see them. They leave no entry in a transcript, and :meth:`apply` does not use them.
        terms_class: The frozen dataclass of the mechanism's own section of a game file; None: it has none.
        rules: The rules of a game file (fields of ``Rules``) that this kind of game has, and not every kind.
    """

    name: ClassVar[str]
    acts: ClassVar[Mapping[str, ActRule]]
    facts: ClassVar[Mapping[str, bool]] = MappingProxyType({})
    confidential_facts: ClassVar[frozenset[str]] = frozenset()
    terms_class: ClassVar[type[Any] | None] = None
    rules: ClassVar[tuple[str, ...]] = ()

    all_acts: ClassVar[Mapping[str, ActRule]]
    """Common acts and the mechanism's own."""
    flushing_acts: ClassVar[frozenset[str]]
    """Types of act that make the waiting flushable actions of other seats pointless."""
    untranscribed: ClassVar[frozenset[str]]
    """Types of event that leave no entry in any transcript."""
    own_facts: ClassVar[frozenset[str]]
    """The mechanism's own types of fact."""
    hides_state: ClassVar[bool]
    """Whether some part of the mechanism's state is hidden from some seat."""
    has_timers: ClassVar[bool]
    """Whether time alone may make something happen, in some game at least."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Derive the sets of types, which are asked for with every event."""
        super().__init_subclass__(**more)
        own = getattr(cls, "acts", {})
        cls.all_acts = MappingProxyType({**COMMON_ACTS, **own})
        cls.flushing_acts = frozenset(kind for kind, rule in cls.all_acts.items() if rule.flushes)
        silent = [kind for kind, rule in cls.all_acts.items() if not rule.in_transcript]
        silent += [kind for kind, shown in cls.facts.items() if not shown]
        cls.untranscribed = frozenset([EventType.TIME, EventType.STATE_PROPOSED, *silent])
        cls.own_facts = frozenset(cls.facts)
        cls.hides_state = cls.view is not Mechanism.view
        cls.has_timers = cls.next_due is not Mechanism.next_due

    # Game

    @abstractmethod
    def check_game(self, game: GameSpec) -> None:
        """Check that the game is one of this kind, when its file is read.

        Raises:
            NegoError: If it is not; a sentence that says what is missing or too much.
        """

    @abstractmethod
    def initial_state(self, game: GameSpec) -> object:
        """Return the mechanism's part of the state before the first event; of a visible game too."""

    def view(self, mechanism_state: Any, seats: tuple[Seat, ...]) -> object:  # noqa: ARG002 - here everything is public
        """Return the mechanism's part of the state as an observer may see it.

        The same as folding the events that it may see over ``initial_state`` of the game as it sees it.

        Args:
            mechanism_state: The mechanism's part of the whole state.
            seats: The seats whose hidden parts the observer sees: a seat's own, those below a principal, none
                for the public.
        """
        return mechanism_state

    def copy_for_thread(self, mechanism_state: Any) -> object:
        """Return the mechanism's part of the state for the use in another thread.

        A state that consists of immutable values needs no copy. One whose versions share something that
        changes is copied here.
        """
        return mechanism_state

    # Acts and facts

    def fact_types(self, game: GameSpec) -> frozenset[str]:  # noqa: ARG002 - by default the same for every game
        """Return the types of fact that may be recorded in a game: :attr:`facts`, and those that it adds."""
        return self.own_facts

    @abstractmethod
    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:
        """Raise Refused, with a sentence for the player, if the seat may not do this now.

        Args:
            state: The state.
            seat: The acting seat.
            payload: What it would do.
            to: The seats that the act is addressed to, which fit its rule; none in questions about no
                particular seat.
        """

    def recipients(self, state: State, seat: Seat, payload: Any) -> tuple[Seat, ...]:  # noqa: ARG002 - by default none
        """Return the seats that an act for one seat is addressed to, where its sender has not said so.

        Raises:
            Refused: If what the act refers to is not there.
        """
        return ()

    @abstractmethod
    def apply(self, state: State, event: Event) -> object:
        """Return the mechanism's part of the state after an event; of the whole state, or of a view.

        What others may not see must change with facts alone, never with the private act that they follow.
        """

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:  # noqa: ARG002 - by default nothing follows
        """Return everything that follows at once from an act or from the start, complete and in order.

        Never asked of a view, and never about a fact: what follows from a fact is in the same list.

        Args:
            state: The state after the event.
            event: The event.
        """
        return ()

    def keeps_time(self, game: GameSpec) -> bool:  # noqa: ARG002 - by default the same for every game
        """Return whether time alone may make something happen in a game."""
        return self.has_timers

    def next_due(self, state: State) -> float | None:  # noqa: ARG002 - by default nothing
        """Return the session time (s) at which time alone makes something happen; None: at no time."""
        return None

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:  # noqa: ARG002 - by default nothing
        """Return everything that the time has made happen, complete and in order.

        Asked only from :meth:`next_due` on, and always before an act.

        Args:
            state: The state.
            now: Session time in seconds, that of ``next_due`` or later.
        """
        return ()

    def resolve(self, payload: Any, seen: State) -> Any:  # noqa: ARG002 - by default as it is
        """Return the payload of an act that was decided in a state, naming what it refers to there."""
        return payload

    @abstractmethod
    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the types of the mechanism's acts, and FORMAL_QUIT, that are open to a seat now.

        A type that is missing is refused by :meth:`check` whatever its payload; for one that is there, some
        payload is accepted. Time and phase are not considered.
        """

    # Points and presentation

    @abstractmethod
    def points(self, state: State, seat: Seat) -> Points | None:
        """Return a seat's points once the game has ended.

        None where the end gives none, while the game runs, and where the state does not show them.
        """

    @abstractmethod
    def standing(self, state: State, seat: Seat) -> Points | None:
        """Return the points that a seat would have if time were up now; None where the state hides them."""

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:  # noqa: ARG002 - by default none
        """Return the mechanism's features by owner: seats, and the platform for what belongs to no seat."""
        return SeatMap()

    @abstractmethod
    def describe(self, state: State) -> list[str]:
        """Return the mechanism's part of the state in a few lines for people."""
