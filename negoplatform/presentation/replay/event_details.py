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
    translate: Language,
    read: RecordedInterpretation | None = None,
) -> tuple[Pairs, Pairs]:
    """What an event is, and what it says; of a message that was typed also what was understood of it."""
    event = moment.event
    facts = [
        (translate("Kind"), kind_words(moment, translate)),
        (translate("Type"), displayable(str(event.type))),
        (translate("Number"), str(event.seq)),
        (translate("Session time"), translate("{s} s", s=f"{event.t:.3f}")),
        (translate("Time of day"), displayable(moment.at)),
        (translate("From"), participants.name(event.sender, translate)),
    ]
    if event.to:
        facts.append(
            (
                translate("Only to"),
                join_names([participants.name(seat, translate) for seat in event.to], translate),
            )
        )
    if event.decided_by is not None:
        facts.append((translate("Decided by"), event.decided_by.value))
    if event.decided_at is not None:
        facts.append((translate("Decided at"), translate("{s} s", s=f"{event.decided_at:.3f}")))
    if event.cause is not None:
        facts.append((translate("Answers"), translate("event {n}", n=event.cause)))
    said = payload_pairs(event, game, participants, translate)
    noted = parse_interpretation(event)
    if noted is not None:
        said = [
            (translate("Words"), displayable(noted.text)),
            *interpretation_pairs(noted, game, participants, translate),
        ]
    elif read is not None:
        said += [
            *interpretation_pairs(read.interpretation, game, participants, translate),
            *answer_pairs(read, translate),
        ]
    return tuple(facts), tuple(said)
