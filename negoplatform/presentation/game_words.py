"""Words for a game as a whole, which depend on its kind: people negotiate, trade, or play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.presentation.i18n import gettext_noop


@dataclass(frozen=True, slots=True)
class GameWords:
    """Texts about a game of one kind, each to be translated.

    Args:
        starts: Line of the transcript at the beginning.
        resumed: Line of the transcript after an interruption.
        ended_early: Text of an early end.
        ended_early_because: The same with a reason.
        time_up: Text of an end by the time limit.
        ended: Words at a clock that has ended.
        stopped: Words at the clock of a session that had to stop.
        with_names: Line below the title; has ``{names}``.
        with_number: The same for many others; has ``{n}``.
        role_with_names: The same in a game with roles; has ``{role}`` and ``{names}``.
        role_with_number: The same for many others; has ``{role}`` and ``{n}``.
        who: Heading of who is there.
        how: Heading of how people act.
        running: Text before the window is closed in a running game.
        go_on: Label of the button that keeps the game running.
        paused: Text before the window is closed in a paused game.
        resuming: Text before the window is closed while the game is being resumed.
        pause: Text of the panel of a pause.
        disk_advice: Advice for the experimenter if the disk is full.
        please_resume: Text of the panel while the game is being resumed.
        begins_soon: Text of the panel while the game waits for others.
        lasted: Label of the duration in the result.
        lasted_for: Duration of an unfinished session; has ``{duration}``.
        lasted_with: The same with the others' names; has ``{duration}`` and ``{names}``.
        again: Label of the button that leads to a new game.
        not_started: Text after a game was left before it began.
        leave: Label of the button that leaves the running game.
        you_leave: Line of the transcript when the reader has left.
        leaves: Line of the transcript when another seat has left; has ``{name}``.
        about: Heading of what is said after the end about how it was played.
    """

    starts: str
    resumed: str
    ended_early: str
    ended_early_because: str
    time_up: str
    ended: str
    stopped: str
    with_names: str
    with_number: str
    role_with_names: str
    role_with_number: str
    who: str
    how: str
    running: str
    go_on: str
    paused: str
    resuming: str
    pause: str
    disk_advice: str
    please_resume: str
    begins_soon: str
    lasted: str
    lasted_for: str
    lasted_with: str
    again: str
    not_started: str
    leave: str
    you_leave: str
    leaves: str
    about: str


def game_words(mechanism: str) -> GameWords:
    """Return the words for games of a mechanism."""
    return _WORDS.get(mechanism, _PLAYING)


_NEGOTIATING = GameWords(
    starts=gettext_noop("The negotiation starts"),
    resumed=gettext_noop(
        "The negotiation continues after an interruption; the clock was stopped in the meantime"
    ),
    ended_early=gettext_noop("The negotiation has ended early"),
    ended_early_because=gettext_noop("The negotiation has ended early. {reason}"),
    time_up=gettext_noop("Time is up: no deal"),
    ended=gettext_noop("negotiation ended"),
    stopped=gettext_noop("negotiation stopped"),
    with_names=gettext_noop("You’re negotiating with {names}"),
    with_number=gettext_noop("You’re negotiating with {n} others"),
    role_with_names=gettext_noop("You’re the {role}, negotiating with {names}"),
    role_with_number=gettext_noop("You’re the {role}, negotiating with {n} others"),
    who=gettext_noop("Who is negotiating"),
    how=gettext_noop("How you negotiate"),
    running=gettext_noop(
        "The negotiation is still running. If you close the window, it ends now, without a result. "
        "Everything so far is saved."
    ),
    go_on=gettext_noop("Keep negotiating"),
    paused=gettext_noop(
        "The negotiation is paused. Closing the window now doesn’t end it: it can be resumed the "
        "next time the program is opened."
    ),
    resuming=gettext_noop(
        "The negotiation is still being resumed. Closing the window now doesn’t end it: it can be "
        "resumed the next time the program is opened."
    ),
    pause=gettext_noop(
        "The negotiation is paused and the clock is stopped. Nothing is lost. Please tell the experimenter."
    ),
    disk_advice=gettext_noop(
        "Free up space on that disk, or check why it can’t be written to. The negotiation will "
        "then continue by itself."
    ),
    please_resume=gettext_noop("Resuming the negotiation…"),
    begins_soon=gettext_noop("The negotiation begins as soon as everyone is ready."),
    lasted=gettext_noop("You negotiated for"),
    lasted_for=gettext_noop("Negotiated for {duration}"),
    lasted_with=gettext_noop("Negotiated for {duration} with {names}"),
    again=gettext_noop("New negotiation"),
    not_started=gettext_noop("The negotiation hasn’t started, and nothing has been recorded."),
    leave=gettext_noop("Walk away"),
    you_leave=gettext_noop("You walk away"),
    leaves=gettext_noop("{name} walks away"),
    about=gettext_noop("About this negotiation"),
)

_PLAYING = GameWords(
    starts=gettext_noop("The game starts"),
    resumed=gettext_noop("The game continues after an interruption; the clock was stopped in the meantime"),
    ended_early=gettext_noop("The game has ended early"),
    ended_early_because=gettext_noop("The game has ended early. {reason}"),
    time_up=gettext_noop("Time is up"),
    ended=gettext_noop("game ended"),
    stopped=gettext_noop("game stopped"),
    with_names=gettext_noop("You’re playing with {names}"),
    with_number=gettext_noop("You’re playing with {n} others"),
    role_with_names=gettext_noop("You’re the {role}, playing with {names}"),
    role_with_number=gettext_noop("You’re the {role}, playing with {n} others"),
    who=gettext_noop("Who is playing"),
    how=gettext_noop("How you play"),
    running=gettext_noop(
        "The game is still running. If you close the window, it ends now, without a result. "
        "Everything so far is saved."
    ),
    go_on=gettext_noop("Keep playing"),
    paused=gettext_noop(
        "The game is paused. Closing the window now doesn’t end it: it can be resumed the next time the "
        "program is opened."
    ),
    resuming=gettext_noop(
        "The game is still being resumed. Closing the window now doesn’t end it: it can be resumed the "
        "next time the program is opened."
    ),
    pause=gettext_noop(
        "The game is paused and the clock is stopped. Nothing is lost. Please tell the experimenter."
    ),
    disk_advice=gettext_noop(
        "Free up space on that disk, or check why it can’t be written to. The game will then continue by "
        "itself."
    ),
    please_resume=gettext_noop("Resuming the game…"),
    begins_soon=gettext_noop("The game begins as soon as everyone is ready."),
    lasted=gettext_noop("You played for"),
    lasted_for=gettext_noop("Played for {duration}"),
    lasted_with=gettext_noop("Played for {duration} with {names}"),
    again=gettext_noop("New game"),
    not_started=gettext_noop("The game hasn’t started, and nothing has been recorded."),
    leave=gettext_noop("Leave the game"),
    you_leave=gettext_noop("You leave the game"),
    leaves=gettext_noop("{name} leaves the game"),
    about=gettext_noop("About this game"),
)

_MARKET = replace(
    _PLAYING,
    leave=gettext_noop("Leave the market"),
    you_leave=gettext_noop("You’ve left the market"),
    leaves=gettext_noop("{name} has left the market"),
)

_TRADING = replace(
    _PLAYING,
    with_names=gettext_noop("You’re trading with {names}"),
    with_number=gettext_noop("You’re trading with {n} others"),
    role_with_names=gettext_noop("You’re the {role}, trading with {names}"),
    role_with_number=gettext_noop("You’re the {role}, trading with {n} others"),
    who=gettext_noop("Who is trading"),
    how=gettext_noop("How you trade"),
    go_on=gettext_noop("Keep trading"),
)

_WORDS: Mapping[str, GameWords] = {
    BARGAINING: _NEGOTIATING,
    Trading.name: _TRADING,
    Market.name: _MARKET,
}
