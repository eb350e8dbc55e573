"""One event of a recorded session as names with values, for whoever may see all of it. No Tk."""

from __future__ import annotations

from negoplatform.app.playback.playback import ObservedEvent
from negoplatform.domain.game import GameSpec
from negoplatform.formats.interpretations import RecordedInterpretation, parse_interpretation
from negoplatform.presentation.formatting import displayable, join_names
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.replay.event_descriptions import kind_words, payload_pairs
from negoplatform.presentation.replay.interpretation_details import answer_pairs, interpretation_pairs
from negoplatform.presentation.replay.participants import Participants

Pairs = tuple[tuple[str, str], ...]


def event_details(
    moment: ObservedEvent,
    game: GameSpec,
    participants: Participants,
    say: Language,
    read: RecordedInterpretation | None = None,
) -> tuple[Pairs, Pairs]:
    """What an event is, and what it says; of a message that was typed also what was understood of it."""
    event = moment.event
    facts = [
        (say("Kind"), kind_words(moment, say)),
        (say("Type"), displayable(str(event.type))),
        (say("Number"), str(event.seq)),
        (say("Session time"), say("{s} s", s=f"{event.t:.3f}")),
        (say("Time of day"), displayable(moment.at)),
        (say("From"), participants.name(event.sender, say)),
    ]
    if event.to:
        facts.append((say("Only to"), join_names([participants.name(seat, say) for seat in event.to], say)))
    if event.decided_by is not None:
        facts.append((say("Decided by"), event.decided_by.value))
    if event.decided_at is not None:
        facts.append((say("Decided at"), say("{s} s", s=f"{event.decided_at:.3f}")))
    if event.cause is not None:
        facts.append((say("Answers"), say("event {n}", n=event.cause)))
    said = payload_pairs(event, game, participants, say)
    noted = parse_interpretation(event)
    if noted is not None:
        said = [
            (say("Words"), displayable(noted.text)),
            *interpretation_pairs(noted, game, participants, say),
        ]
    elif read is not None:
        said += [
            *interpretation_pairs(read.interpretation, game, participants, say),
            *answer_pairs(read, say),
        ]
    return tuple(facts), tuple(said)
