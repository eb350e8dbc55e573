"""State of a wizard's seat, computed from the feed of its session. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from negoplatform.app.session.windows.session_feed import (
    FeedAssistant,
    FeedItem,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
)
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class WaitingSuggestion:
    """Suggestion that waits for the wizard.

    Args:
        suggestion: The suggestion.
        arrived_at: Session time (s) at which this window got it.
    """

    suggestion: FeedSuggestion
    arrived_at: float

    @property
    def number(self) -> int:
        """The number of the suggestion in the session."""
        return self.suggestion.number


@dataclass(frozen=True, slots=True)
class WizardState:
    """State of a wizard's seat.

    Args:
        mode: The mode; None until the session has reported it.
        points: Each seat's points, as ``FeedWizard`` has them.
        is_raw_open: Whether the whole state has been opened.
        waiting: The suggestions that wait, the oldest first.
        closed: How the wait of each other suggestion ended, by its number.
        assistants: What the assistants of the seat have written, by their names.
    """

    mode: WizardMode | None = None
    points: Mapping[Seat, Points | None] = field(default_factory=dict)
    is_raw_open: bool = False
    waiting: tuple[WaitingSuggestion, ...] = ()
    closed: Mapping[int, SuggestionVerdict] = field(default_factory=dict)
    assistants: Mapping[str, FeedAssistant] = field(default_factory=dict)

    def after(self, item: FeedItem, now: float) -> WizardState:
        """Return the state after an item of the feed.

        Args:
            item: The item; one that says nothing about the wizard's seat changes nothing.
            now: Session time in seconds.
        """
        match item:
            case FeedWizard(mode, points, is_raw_open):
                return replace(self, mode=mode, points=points, is_raw_open=is_raw_open)
            case FeedAssistant(name):
                return replace(self, assistants={**self.assistants, name: item})
            case FeedSuggestion():
                # A window that comes back gets again what still waits.
                others = tuple(each for each in self.waiting if each.number != item.number)
                arrived = WaitingSuggestion(item, now)
                waiting = sorted((*others, arrived), key=lambda each: each.number)
                return replace(self, waiting=tuple(waiting))
            case FeedSuggestionClosed(number, verdict):
                waiting = [each for each in self.waiting if each.number != number]
                return replace(self, waiting=tuple(waiting), closed={**self.closed, number: verdict})
            case _:
                return self

    def find(self, number: int) -> WaitingSuggestion | None:
        """Return the waiting suggestion with a number; None if it does not wait any more."""
        return next((each for each in self.waiting if each.number == number), None)
