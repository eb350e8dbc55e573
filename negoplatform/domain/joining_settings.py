"""Settings of a session that people join from other windows: the wizard of a seat, and lost connections."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.errors import NegoError

LOOPBACK = "127.0.0.1"
"""Address at which only this computer's windows can join."""

MOST_SUGGESTION_SECONDS = 600.0
"""Longest time (s) for which a suggestion waits for the wizard."""

MOST_WIZARD_DELAY = 60.0
"""Longest delay (s) between a wizard's decision and the act."""

MOST_LOST_SECONDS = 3600.0
"""Longest time (s) for which a session waits for a lost connection."""


class WizardMode(StrEnum):
    """Mode in which the seat of a wizard is operated."""

    AUTONOMOUS = "autonomous"
    """The agent acts; the wizard watches."""
    ASSISTED = "assisted"
    """The agent's scripts are suggestions, which are performed if the wizard does not answer in time."""
    MANUAL = "manual"
    """The wizard acts; the agent's scripts are ideas, which only the wizard can have performed."""


class SuggestionTimeout(StrEnum):
    """Rule for a suggestion that the wizard has not answered in time."""

    SEND = "send"
    DROP = "drop"


class SuggestionVerdict(StrEnum):
    """End of a suggestion's wait for the wizard."""

    SENT = "sent"
    EDITED = "edited"
    DROPPED = "dropped"
    TIMED_OUT_SENT = "timed_out_sent"
    TIMED_OUT_DROPPED = "timed_out_dropped"
    AUTONOMOUS = "autonomous"
    """The mode was changed to autonomous, and the agent performed it."""
    SUPERSEDED = "superseded"
    """The agent interrupted itself with a newer script, or the fallback took its seat."""
    GAME_ENDED = "game_ended"


class AdviceVerdict(StrEnum):
    """End of a piece of advice to the person in a seat."""

    USED = "used"
    DISMISSED = "dismissed"
    SUPERSEDED = "superseded"
    """Newer advice came, the person decided without it, or another seat made an offer."""
    GAME_ENDED = "game_ended"


@dataclass(frozen=True, slots=True)
class WizardSettings:
    """Settings of the wizard of a seat.

    Args:
        mode: The mode in which the session begins.
        suggestion_seconds: Seconds for which a suggestion waits in assisted mode, above 0 and up to 600.
        on_timeout: What happens to a suggestion after that.
        delay_seconds: Seconds between the wizard's decision and the act, 0 to 60; a typing sign is shown
            meanwhile.

    Raises:
        NegoError: If a value is out of its range; with a sentence.
    """

    mode: WizardMode = WizardMode.ASSISTED
    suggestion_seconds: float = 20.0
    on_timeout: SuggestionTimeout = SuggestionTimeout.SEND
    delay_seconds: float = 0.0

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "mode", WizardMode(self.mode))
            object.__setattr__(self, "on_timeout", SuggestionTimeout(self.on_timeout))
        except ValueError:
            raise NegoError(
                f"A wizard's mode is one of {', '.join(WizardMode)}, and on_timeout one of "
                f"{', '.join(SuggestionTimeout)}."
            ) from None
        if not 0 < self.suggestion_seconds <= MOST_SUGGESTION_SECONDS:
            raise NegoError(
                f"suggestion_seconds is above 0 and up to {MOST_SUGGESTION_SECONDS:g}, "
                f"not {self.suggestion_seconds:g}."
            )
        if not 0 <= self.delay_seconds <= MOST_WIZARD_DELAY:
            raise NegoError(f"delay_seconds is 0 to {MOST_WIZARD_DELAY:g}, not {self.delay_seconds:g}.")


class LostLinkAction(StrEnum):
    """Consequence of a lost connection for the seat of a person."""

    WAIT = "wait"
    """The game goes on, and the seat stays open until its end."""
    AGENT = "agent"
    """An agent takes the seat."""
    END = "end"
    """The game ends without an agreement."""


@dataclass(frozen=True, slots=True)
class LostLinkRule:
    """Rule for the seats of people whose connections are lost.

    Args:
        action: What happens.
        seconds: Seconds of session time from the loss until then, 0 to 3600; of no meaning for ``wait``.
        agent: The agent's name in the catalogue, for ``agent`` alone.

    Raises:
        NegoError: If a value is out of its range, or the agent is missing; with a sentence.
    """

    action: LostLinkAction = LostLinkAction.WAIT
    seconds: float = 60.0
    agent: str = ""

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "action", LostLinkAction(self.action))
        except ValueError:
            raise NegoError(
                f"The action after a lost connection is one of {', '.join(LostLinkAction)}; not "
                f"{self.action!r}."
            ) from None
        if not 0 <= self.seconds <= MOST_LOST_SECONDS:
            raise NegoError(f"A session waits 0 to {MOST_LOST_SECONDS:g} s, not {self.seconds:g} s.")
        if (self.action is LostLinkAction.AGENT) != bool(self.agent):
            raise NegoError("The action agent needs an agent, as in agent=NAME, and no other action has one.")


WAIT_FOR_LINK = LostLinkRule()
"""The rule where none is set."""
