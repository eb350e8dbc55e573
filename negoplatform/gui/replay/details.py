"""One event of a recorded session as names with values, for whoever may see all of it. No Tk."""

from __future__ import annotations

from negoplatform.app.playback import Moment
from negoplatform.domain.game import GameSpec
from negoplatform.gui.language import Language
from negoplatform.gui.replay.cast import Cast
from negoplatform.gui.replay.words import kind_words, payload_pairs
from negoplatform.gui.texts import drawable, listed

Pairs = tuple[tuple[str, str], ...]


def details(moment: Moment, game: GameSpec, cast: Cast, say: Language) -> tuple[Pairs, Pairs]:
    """What an event is, and what it says."""
    event = moment.event
    facts = [
        (say("Kind"), kind_words(moment, say)),
        (say("Type"), drawable(str(event.type))),
        (say("Number"), str(event.seq)),
        (say("Session time"), say("{s} s", s=f"{event.t:.3f}")),
        (say("Time of day"), drawable(moment.at)),
        (say("From"), cast.name(event.sender, say)),
    ]
    if event.to:
        facts.append((say("Only to"), listed([cast.name(seat, say) for seat in event.to], say)))
    if event.decided_by is not None:
        facts.append((say("Decided by"), event.decided_by.value))
    if event.decided_at is not None:
        facts.append((say("Decided at"), say("{s} s", s=f"{event.decided_at:.3f}")))
    if event.cause is not None:
        facts.append((say("Answers"), say("event {n}", n=event.cause)))
    return tuple(facts), tuple(payload_pairs(event, game, cast, say))
