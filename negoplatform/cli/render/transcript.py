"""A session as printed text: verdict, outcome, measures and events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from negoplatform.analysis.export_tables.offer_text import offer_text
from negoplatform.analysis.outcome_measures import MeasuredGame
from negoplatform.analysis.trade_records import TRADE_KINDS
from negoplatform.cli.render.session_measures import (
    measure_lines,
    measured_game,
    steps_by_offer,
    trade_measure_lines,
)
from negoplatform.core.events import (
    Accepted,
    Announced,
    EndedBy,
    Ending,
    Event,
    EventType,
    ExpressionShown,
    Failure,
    Message,
    Note,
    OfferMade,
    Refusal,
    Resumed,
    Tick,
    payload_fields,
)
from negoplatform.core.mechanisms.bargaining import is_last_offer_unanswered, left_out_seats
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import get_state
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import display_name
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.domain.step_analysis import StepClass
from negoplatform.domain.trading.economy import Quantities
from negoplatform.domain.utility import Points
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import Replay, replay, steps
from negoplatform.formats.interpretations import parse_interpretation, parse_interpretation_answer
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.replay.note_words import NoteReader
from negoplatform.presentation.replay.proposal_words import failure_sentence, proposal_sentence

OMITTED_TYPES = frozenset({EventType.TIME, EventType.TYPING, EventType.OFFER_IN_PROGRESS})
"""Event types that the transcript omits unless every step is printed."""

TEXTS_BY_TYPE: Mapping[str, str] = {
    EventType.FORMAL_QUIT: "walks away",
    EventType.GAME_START: "THE GAME STARTS",
}
"""Texts of events without a payload; any other one is described by its type."""


def replay_lines(log: SessionLog, *, step: bool) -> Iterator[str]:
    """Yield the verdict, outcome, measures and transcript of a log, with the class of every step.

    Raises:
        InputFileError: At the first event that the rules do not allow.
    """
    played = replay(log)
    yield verdict(played)
    yield from outcome_lines(played)
    game, classes = measured_game(log), dict[int, StepClass]()
    if log.header.game.mechanism in TRADE_KINDS:
        yield from trade_measure_lines(played)
    elif isinstance(game, MeasuredGame):
        yield from measure_lines(game, played)
        classes = dict(steps_by_offer(game, log))
    elif game:
        yield f"Measures: none. {game}"
    yield ""
    for item in steps(log):
        if step or item.event.type not in OMITTED_TYPES:
            of_step = f" ({classes[item.event.seq].value})" if item.event.seq in classes else ""
            yield event_line(log, item.event, step=step) + of_step
        if step:
            yield from (f"             | {line}" for line in state_lines(item.state))


def verdict(played: Replay) -> str:
    """Return a sentence about the validity of a log."""
    count = len(played.log.events)
    if played.log.header.view != "complete":
        return (
            f"Verdict: {count} events, as seen by {played.log.header.view!r}; a complete log can be checked."
        )
    if played.state.ending is None:
        return f"Verdict: all {count} events follow from the rules; the session has no end yet."
    return f"Verdict: all {count} events follow from the rules, and so does the end."


def outcome_lines(played: Replay) -> Iterator[str]:
    """Yield the game, seats, ending and points."""
    header, state = played.log.header, played.state
    seed = "" if header.seed is None else f", seed {header.seed}"
    yield f"Game: {header.game.title} ({header.game.name}){seed}, recorded {header.created_at}"
    for seat, who in header.seats.items():
        kind = f"agent {who.agent}" if who.agent else who.kind
        points = played.points.get(seat)
        got = "" if points is None else f": {points_text(points)}"
        yield f"  {seat}: {who.participant or who.name} ({kind}){got}"
    yield f"Outcome: {ending_text(state)}"


def ending_text(state: State) -> str:
    """Return the ending as a sentence."""
    match state.ending:
        case None:
            return "none; the log stops before the end of the game."
        case Ending(ended_by=EndedBy.AGREEMENT, deal=Offer() as deal) as ending:
            signed, outvoted = _signed_text(ending, state.game), _outvoted_text(ending, state.game)
            return (
                f"agreement{signed} after {state.ended_at:g} s on {offer_text(deal, state.game)}{outvoted}."
            )
        case Ending(ended_by=EndedBy.TIMEOUT) if not state.game.issues:
            return f"time ran out after {state.ended_at:g} s."
        case Ending(ended_by=EndedBy.TIMEOUT) if is_last_offer_unanswered(state):
            return f"no agreement; the last offer was not accepted by {state.ended_at:g} s."
        case Ending(ended_by=EndedBy.TIMEOUT):
            return f"no agreement; time ran out after {state.ended_at:g} s."
        case Ending(ended_by=EndedBy.QUIT, by=by):
            return f"no agreement; {by} walked away after {state.ended_at:g} s."
        case Ending(ended_by=why, reason=reason):
            return f"{why.value.replace('_', ' ')} after {state.ended_at:g} s. {reason}".rstrip()


def _signed_text(ending: Ending, game: GameSpec) -> str:
    """Return which seats have accepted the deal; empty if all have, and without a deal."""
    return f" by {_listed([s for s in game.seats if ending.is_signed_by(s)])}" if ending.signed_by else ""


def _outvoted_text(ending: Ending, game: GameSpec) -> str:
    """Return what the deal means for the seats that have not accepted it; empty if there are none."""
    outvoted = [seat for seat in game.seats if not ending.is_signed_by(seat)] if ending.signed_by else []
    if not outvoted:
        return ""
    fate = "left out" if left_out_seats(game, ending) else "bound by it"
    return f"; {_listed(outvoted)} {'is' if len(outvoted) == 1 else 'are'} {fate}"


def _listed(seats: Sequence[Seat]) -> str:
    return " and ".join(filter(None, (", ".join(seats[:-1]), seats[-1])))


def points_text(points: Points) -> str:
    """Return points in words."""
    return f"{points:.12g} point{'' if points == 1 else 's'}"


def event_line(log: SessionLog, event: Event, *, step: bool = False) -> str:
    """Return an event as one line of the transcript; with ``step``, the changes of the record as JSON."""
    who = log.header.seats.get(event.sender)
    name = event.sender if who is None else f"{event.sender} ({who.participant or who.name})"
    text = _note_text(log, event) or _seatless_text(log, event, step=step)
    text = text or _event_text(event, log.header.game)
    return f"{event.t:9.3f} s  " + (text if event.sender == PLATFORM else f"{name} {text}")


def _seatless_text(log: SessionLog, event: Event, *, step: bool) -> str:
    """Return the proposal or the failure of an assistant or a principal in words; empty for other events."""
    game, names = (
        log.header.game,
        {seat: who.participant or who.name for seat, who in log.header.seats.items()},
    )
    failed = failure_sentence(event, game, ENGLISH)
    proposed = "" if step else proposal_sentence(event, game, names, ENGLISH)
    text = failed or proposed
    return f"({text})" if text else ""


def _event_text(event: Event, game: GameSpec) -> str:
    match event.payload:
        case Message(text, subtype):
            # Indented: a second line at the margin could be mistaken for another event.
            whom = f" only to {_listed(event.to)}" if event.to and len(game.seats) > 2 else ""
            return f"says{whom} [{subtype.value}]: " + text.replace("\n", "\n               ")
        case OfferMade(offer):
            kind = "offer" if game.is_complete(offer) else "partial offer"
            return f"sends {kind} {event.seq}: {offer_text(offer, game)}"
        case ExpressionShown(expression):
            return f"looks {expression.value.lower()}"
        case Accepted(offer_id):
            return f"formally accepts offer {offer_id}"
        case Tick(elapsed, remaining):
            left = "" if remaining is None else f", {remaining:g} s left"
            return f"(time {elapsed:g} s{left})"
        case Ending(ended_by) as ending:
            by, outvoted = _signed_text(ending, game), _outvoted_text(ending, game)
            return f"THE GAME ENDS: {ended_by.value.replace('_', ' ')}{by}{outvoted}"
        case Announced(data, text):
            whom = f" to {', '.join(event.to)}" if event.to else ""
            return f"(announced{whom}: {event.type} {data}){f' {text}' if text else ''}"
        case StateProposal(proposer, _, updates, accepted, reason):
            verdict = "accepted" if accepted else f"refused: {reason}"
            return (
                f"({proposer.kind.value} {proposer.name} proposes for the record {updates.text}; {verdict})"
            )
        case Refusal(action, reason):
            return f"(refused to {', '.join(event.to)}: {action}. {reason})"
        case Failure(seat, reason, strikes):
            return f"(the agent at {seat} failed, strike {strikes}: {reason})"
        case Note(kind, data):
            known = _interpretation_text(event, game)
            return known or f"(note {kind.value}: {', '.join(f'{k} {v}' for k, v in data.items())})"
        case Resumed(torn_bytes):
            torn = f"; {torn_bytes} bytes of a cut-off line were set aside" if torn_bytes else ""
            return f"THE SESSION GOES ON after an interruption{torn}"
        case _ if event.type not in EventType.__members__:
            return _act_text(event)
        case _:
            return TEXTS_BY_TYPE.get(event.type, f"({event.type})")


def _note_text(log: SessionLog, event: Event) -> str:
    """Return a note about a joined window or a wizard in a sentence; empty for any other event."""
    if not isinstance(event.payload, Note):
        return ""
    names = {seat: who.participant or who.name for seat, who in log.header.seats.items()}
    text = NoteReader(log.header.game, names, ENGLISH, _act_text).text(event.payload)
    return f"({text})" if text else ""


def _act_text(event: Event) -> str:
    """Return an act of another mechanism than bargaining: its type, its recipients and its fields."""
    others = [seat for seat in event.to if seat != event.sender]
    whom = f" to {_listed(others)}" if others else ""
    content = ", ".join(
        f"{display_name(name)} {_value_text(value)}"
        for name, value in payload_fields(event.payload).items()
        if value is not None
    )
    return f"acts{whom}: {display_name(event.type.lower())}" + (f" ({content})" if content else "")


def _value_text(value: object) -> str:
    """Return a field of an act: ``yes``, ``2 wool and 1 wine``, ``12.5``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Quantities):
        return _listed([f"{units} {good}" for good, units in value.items()])
    return str(value)


def _interpretation_text(event: Event, game: GameSpec) -> str:
    """Return the interpretation of typed words, or the answer to it; empty for any other note."""
    note, answer = parse_interpretation(event), parse_interpretation_answer(event)
    if note is not None:
        interpretation = note.value()
        offers = " or ".join(offer_text(offer, game) for offer in interpretation.offers)
        held_out = " or ".join(offer_text(offer, game) for offer in note.shown_offers())
        features = [
            f"offer {offers}" if offers else "",
            f"sure {interpretation.sure:g}" if offers else "",
            f"doubt {interpretation.doubt.value.replace('_', ' ')}" if interpretation.doubt else "",
            "accepts" if interpretation.accepts else "",
            "conditional" if interpretation.conditional else "",
            "soft" if interpretation.soft else "",
            "shown" if note.shown else "",
            f"held out {held_out}" if held_out not in ("", offers) else "",
        ]
        details = "; ".join([interpretation.subtype.value, *filter(None, features)])
        return f"({note.seat} typed {json.dumps(note.text, ensure_ascii=False)}, read as {details})"
    if answer is None:
        return ""
    details = answer.verdict.value.replace("_", " ") + (f" by the {answer.by}" if answer.by else "")
    details += f"; message {answer.message}" if answer.message else ""
    details += f"; offer {answer.offer}" if answer.offer else ""
    return f"(reading {answer.reading} answered: {details})"


def state_lines(state: State) -> Iterator[str]:
    """Yield a state in a few lines."""
    shown = ", ".join(
        f"{seat} {presence.expression_at(state.t).value.lower()}" for seat, presence in state.presence.items()
    )
    yield f"version {state.version}, {state.phase.value}, {shown}"
    yield from mechanism_of(state.game.mechanism).describe(state)
    for seat, typed in state.typed.items():
        private, public = (
            part.model_dump_json() for part in (typed.private_information, typed.public_information)
        )
        yield f"state of {seat}: private {private}, public {public}"
    if state.record.version:
        yield f"record: {json.dumps(get_state(state.record), ensure_ascii=False)}"
