"""Entries of a transcript, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

from negoplatform.core.events import (
    Accepted,
    Announced,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    OfferMade,
)
from negoplatform.core.mechanisms.bargaining_state import is_last_offer_unanswered
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.event_texts import address_text, event_text
from negoplatform.presentation.face_mood import NEUTRAL_FACE, FaceReader, ShownFace
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.noun_forms import is_self_explanatory
from negoplatform.presentation.offers.issue_valuation_texts import utility_share
from negoplatform.presentation.offers.offer_sentence import offer_sentence
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    OfferValuation,
    comparison_text,
    offer_valuation,
    valuation_text,
)
from negoplatform.presentation.offers.term_texts import term_text
from negoplatform.presentation.plots.seat_styles import SeatMark

SEPARATOR = "  ·  "
"""Separator between two short texts on a line."""


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """Entry of the transcript.

    Args:
        kind: ``mine``, ``theirs``, ``offer_mine``, ``offer_theirs``, ``emotion_mine``, ``emotion_theirs``,
            ``announcement``, ``note`` or ``refusal``; ``typing`` for the typing indicator.
        who: Name of the sender; empty for notes.
        text: Text of the entry.
        columns: For an offer, names of the columns of units; empty if it divides nothing.
        rows: For an offer, each issue with its units by column or its value; a value alone if it names the
            issue.
        footer: Text below the rows.
        pictures: For an offer, picture names of the rows' issues; empty names where there is none.
        verdict: For an offer, comparison with no deal in words; empty if unknown.
        versus: For an offer, comparison with no deal as a value.
        summary: For an offer, its text when it is folded.
        share_range: For an offer, its lowest and highest points as shares of the participant's best outcome.
        expression: Expression or mood of the sender at the time, or the expression of an emotion; None if
            the entry has no face, and for the participant's neutral face.
        intensity: How strongly the expression shows, 0 to 1.
        seq: ``seq`` of the entry's event; 0 if there is none.
        t: Session time in seconds.
        clock: Text of the countdown at the time; empty without a countdown.
        sender: Seat of the sender; empty for notes.
        address: For a message that is not for everyone, its recipients in words.
        column_marks: For an offer, the marks of the seats in the columns; empty where they have none.
        mark: Mark of the sender's seat; None for the reader's own entries, and where there is only one other.
    """

    kind: str
    who: str
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    footer: str = ""
    pictures: tuple[str, ...] = ()
    verdict: str = ""
    versus: NoDealComparison = NoDealComparison.OPEN
    summary: str = ""
    share_range: tuple[float, float] = (0.0, 0.0)
    expression: Expression | None = None
    intensity: float = 1.0
    seq: int = 0
    t: float = 0.0
    clock: str = ""
    sender: Seat = ""
    address: str = ""
    column_marks: tuple[SeatMark | None, ...] = ()
    mark: SeatMark | None = None

    @property
    def is_mine(self) -> bool:
        """Whether the entry is on the participant's side."""
        return self.kind in ("mine", "offer_mine", "emotion_mine")

    @property
    def is_theirs(self) -> bool:
        """Whether the entry is on the other side."""
        return self.kind in ("theirs", "offer_theirs", "emotion_theirs", "typing")

    @property
    def face(self) -> ShownFace:
        """The sender's face at the time."""
        return NEUTRAL_FACE if self.expression is None else ShownFace(self.expression, self.intensity)

    @property
    def is_emotion(self) -> bool:
        """Whether the entry only reports a change of expression."""
        return self.kind in ("emotion_mine", "emotion_theirs")

    @property
    def time_text(self) -> str:
        """Session time in minutes and seconds: ``06:41``."""
        return f"{int(self.t) // 60:02d}:{int(self.t) % 60:02d}"


def transcript_entries(
    state: State,
    events: Sequence[Event],
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    faces: FaceReader | None = None,
    marks: Mapping[Seat, SeatMark] = MappingProxyType({}),
) -> list[TranscriptEntry]:
    """Return the lines for some events, the newest of ``state``, as a seat reads them; many leave none.

    ``faces`` reads the others' faces; None: those of agents. ``marks`` are those of the seats, if they are
    told apart by any.
    """
    faces = faces or FaceReader()
    tracker = ExpressionTracker.before(state, events, seat)
    lines = []
    for event in events:
        changes = tracker.update(event)
        text = event_text(
            event,
            seat,
            names,
            translate,
            mechanism=state.game.mechanism,
            maker=_offer_sender(state, event),
            outvoted=state.game.rules.outvoted,
            last_offer=is_last_offer_unanswered(state),
        )
        if text and changes:
            mine = event.sender == seat
            who = translate("You") if mine else names.get(event.sender, "")
            face = (
                own_face(tracker.expression_at(event))
                if mine
                else faces.face(state, event.sender, event.t, before=event.seq)
            )
            address = address_text(event, seat, names, translate)
            mark = None if mine else marks.get(event.sender)
            entry = make_entry(event, text, who, mine=mine, face=face, address=address, mark=mark)
            if isinstance(event.payload, OfferMade):
                entry = _with_own_valuation(
                    entry, event.payload.offer, state.game, seat, names, translate, marks
                )
            lines.append(entry)
    return lines


def make_entry(
    event: Event,
    text: str,
    who: str,
    *,
    mine: bool,
    face: ShownFace | None,
    address: str = "",
    mark: SeatMark | None = None,
) -> TranscriptEntry:
    """Return the entry of an event, of an offer without its table and footer.

    Args:
        event: The event.
        text: The event in words.
        who: The displayed name of its sender.
        mine: Whether the entry belongs on the reader's side.
        face: The sender's face, where one is displayed.
        address: The recipients in words; empty for an event that is for everyone.
        mark: The mark of the sender's seat, where one is displayed.
    """
    side = "mine" if mine else "theirs"
    expression, intensity = (None, 1.0) if face is None else (face.expression, face.intensity)
    sender = event.sender
    match event.payload:
        case Message():
            kind = side
        case OfferMade():
            kind = f"offer_{side}"
        case ExpressionShown(expression):
            kind, intensity = f"emotion_{side}", 1.0
        case _:
            who, sender, mark, expression, intensity = "", "", None, None, 1.0
            if isinstance(event.payload, Announced):
                kind = "announcement"
            else:
                failed = event.type in (EventType.ACTION_REFUSED, EventType.AGENT_FAILED)
                kind = "refusal" if failed else "note"
    return TranscriptEntry(
        kind,
        who,
        text,
        expression=expression,
        intensity=intensity,
        seq=event.seq,
        t=event.t,
        sender=sender,
        address=address,
        mark=mark,
    )


def own_face(expression: Expression) -> ShownFace | None:
    """Return the face next to the reader's own entry; None for a neutral one, which is not drawn."""
    return None if expression is Expression.NEUTRAL else ShownFace(expression)


def with_offer_table(
    entry: TranscriptEntry,
    offer: Offer,
    game: GameSpec,
    called: Mapping[Seat, str],
    translate: Language,
    marks: Mapping[Seat, SeatMark] = MappingProxyType({}),
) -> TranscriptEntry:
    """Return the entry of an offer with its table; ``called`` names the seats in the order of the columns."""
    columns, rows = _offer_table(offer, game, called, translate)
    pictures = tuple(issue.picture for issue in game.issues if issue.name in offer)
    column_marks = tuple(marks.get(seat) for seat in called) if columns and marks else ()
    return replace(entry, columns=columns, rows=rows, pictures=pictures, column_marks=column_marks)


def _offer_sender(state: State, event: Event) -> Seat | None:
    """Return the sender of the offer that an acceptance refers to."""
    if not isinstance(event.payload, Accepted):
        return None
    offer_id = event.payload.offer_id
    return next((made.sender for made in state.transcript.iter_backwards() if made.seq == offer_id), None)


def entry_text(line: TranscriptEntry) -> str:
    """Return an entry's text for copying: for an offer, with its terms on the following lines."""
    below = [f"{issue}: {_terms(line.columns, cells)}" if cells else issue for issue, *cells in line.rows]
    return "\n".join(part for part in (line.text, *below, line.footer) if part)


def entry_paragraph(line: TranscriptEntry, translate: Language) -> str:
    """Return an entry as a paragraph with its time and sender; further lines are indented.

    Without the indent, a second line of a message could pass for an entry.
    """
    words = entry_text(line)
    if line.kind == "refusal":
        words = translate("Not possible: {reason}", reason=words)
    elif line.kind in ("mine", "theirs"):
        who = (
            translate("{name} ({address})", name=line.who, address=line.address) if line.address else line.who
        )
        words = f"{who}: {words}"
    beginning = f"{line.clock or line.time_text}  "
    return beginning + words.replace("\n", "\n" + " " * len(beginning))


class ExpressionTracker:
    """Expressions shown by each seat over time.

    Args:
        shown: The last expression of each seat and the session time (s) at which it ends.
    """

    def __init__(self, shown: Mapping[Seat, tuple[Expression, float]] = MappingProxyType({})) -> None:
        self._shown = dict(shown)
        self._last: Event | None = None

    @classmethod
    def before(cls, state: State, events: Sequence[Event], seat: Seat) -> Self:
        """Return what the faces showed before some events, the newest of ``state``."""
        changed = {event.sender for event in events if isinstance(event.payload, ExpressionShown)}
        # The state has the newest expressions: with a change among the events, it is not yet so before it.
        tracker = cls(
            {
                who: (presence.expression, presence.expression_until)
                for who, presence in state.presence.items()
                if who not in changed
            }
        )
        if changed:
            tracker._find_earlier(state, events[0].seq, seat, changed)
        return tracker

    def update(self, event: Event) -> bool:
        """Process an event; return False for an expression that is shown already."""
        before, self._last = self._last, event
        if not isinstance(event.payload, ExpressionShown):
            return True
        expression = event.payload.expression
        changes = self.expression_at(event) is not expression and not _is_same_expression(
            before, event.sender, expression
        )
        self._shown[event.sender] = expression, event.t + event.payload.duration_ms / 1000
        return changes

    def _find_earlier(self, state: State, first: int, seat: Seat, changed: set[Seat]) -> None:
        """Find the expressions that the changing seats had before the first of the events."""
        missing = set(changed)
        for event in state.iter_transcript_backwards(seat):
            if event.seq >= first:
                continue
            self._last = self._last or event
            if isinstance(event.payload, ExpressionShown) and event.sender in missing:
                until = event.t + event.payload.duration_ms / 1000
                self._shown[event.sender] = event.payload.expression, until
                missing.remove(event.sender)
            if not missing:
                break

    def expression_at(self, event: Event) -> Expression:
        """Return the sender's expression at the time of an event."""
        expression, until = self._shown.get(event.sender, (Expression.NEUTRAL, 0.0))
        return expression if event.t < until else Expression.NEUTRAL


def _is_same_expression(event: Event | None, seat: Seat, expression: Expression) -> bool:
    """Return whether an event shows a given expression of a seat."""
    if event is None or event.sender != seat:
        return False
    return isinstance(event.payload, ExpressionShown) and event.payload.expression is expression


def _with_own_valuation(
    entry: TranscriptEntry,
    offer: Offer,
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    marks: Mapping[Seat, SeatMark],
) -> TranscriptEntry:
    """Return the entry of an offer with its table and its worth to the participant."""
    own = game.preferences[seat]
    costs, worth = own.lose_over_time, offer_valuation(game, own, offer, 0.0)
    others = {other: displayable(names.get(other, other)) for other in game.others(seat)}
    return replace(
        with_offer_table(entry, offer, game, {seat: translate("You"), **others}, translate, marks),
        footer=_footer(offer, worth, game, translate, costs=costs),
        # What time costs changes the comparison; the bar at the top makes it then.
        verdict="" if costs else comparison_text(worth, translate),
        versus=NoDealComparison.OPEN if costs else worth.versus,
        share_range=(utility_share(worth.low, own), utility_share(worth.high, own)),
        summary=_summary(entry, offer, worth, game, seat, names, translate),
    )


def _offer_table(
    offer: Offer, game: GameSpec, called: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return an offer's columns and its rows, one per issue; ``called`` sets the order of the columns."""
    divided = [term for _, term in offer.terms if isinstance(term, Allocation)]
    wide = any(term.undecided for term in divided)
    columns = (*called.values(), translate("Undecided")) if wide else tuple(called.values())
    rows: list[tuple[str, ...]] = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            units = [term.of(seat) for seat in called]
            rows.append(
                (
                    localized_text(issue.title, translate),
                    *map(str, [*units, term.undecided] if wide else units),
                )
            )
        elif term is not None:
            title, value = (
                localized_text(issue.title, translate),
                displayable(term_text(issue, term, translate)),
            )
            rows.append((value,) if is_self_explanatory(title, value) else (title, value))
    return columns if divided else (), tuple(rows)


def _summary(
    entry: TranscriptEntry,
    offer: Offer,
    worth: OfferValuation,
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return a replaced offer in one line."""
    terms = offer_sentence(offer, game, seat, names, translate)
    if entry.is_mine:
        words = translate("You offered {offer}", offer=terms)
    else:
        words = translate("{name} offered {offer}", name=entry.who, offer=terms)
    # The points first: where there is little room, the end is cut off.
    return valuation_text(worth, translate) + SEPARATOR + words


def _footer(offer: Offer, worth: OfferValuation, game: GameSpec, translate: Language, *, costs: bool) -> str:
    """Return the offer's points before time costs, because an entry does not change with time."""
    points = valuation_text(worth, translate)
    if costs:
        words = translate("{points} for you before time costs", points=points)
    else:
        words = translate("{points} for you", points=points)
    if worth.is_range:
        return words + SEPARATOR + translate("depending on the rest")
    return words if game.is_complete(offer) else words + SEPARATOR + translate("partial offer")


def _terms(columns: Sequence[str], cells: Sequence[str]) -> str:
    if len(cells) < len(columns) or not columns:
        return " ".join(cells)
    return ", ".join(f"{column} {cell}" for column, cell in zip(columns, cells, strict=True))
