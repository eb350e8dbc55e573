"""What the replay viewer shows of a recorded session at one moment, as one observer saw it. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from negoplatform.app.playback.playback import Playback
from negoplatform.core.events import Drafting, EventType, Expression, OfferMade
from negoplatform.core.mechanisms.bargaining import bargaining
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, View
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.progress_view import TrackerView
from negoplatform.presentation.formatting import NAME_LOOKS, RESUMED, YOU_LOOK, offer_rows
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.replay.all_sides_view import (
    SidePriorities,
    doing,
    header_view,
    other_view,
    side_priorities,
    tracker,
    whole_lines,
)
from negoplatform.presentation.replay.event_descriptions import offer_line
from negoplatform.presentation.replay.participants import Cast
from negoplatform.presentation.table.table_presenter import Desk
from negoplatform.presentation.table.table_view import HeaderView, OtherView, TableView
from negoplatform.presentation.transcript.transcript_entries import Line


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment.

    Args:
        header: The bar at the top.
        other: Whose face is shown.
        tracker: How far the seats are.
        own: What the side that looks shows of itself, in words.
        offer: What it is building, or else what is on the table, in words; empty if nothing is.
        table: What a participant's window would show; None for somebody who sits nowhere.
        sides: What matters to every side; empty where ``table`` says it.
    """

    header: HeaderView
    other: OtherView
    tracker: TrackerView
    own: str
    offer: str
    table: TableView | None
    sides: tuple[SidePriorities, ...] = ()


class Reading:
    """A playback as one observer reads it.

    Args:
        playback: The session.
        observer: Who looks.
        cast: Who sits where.
        say: The window's language.
    """

    def __init__(self, playback: Playback, observer: Observer, cast: Cast, say: Language) -> None:
        say = say.of_game(playback.header.game.name)
        self._playback, self._say = playback, say
        self.observer = observer
        self.cast = (
            replace(cast, mine=observer.seat, other=_opposite(cast, observer.seat)) if observer.seat else cast
        )
        self._desk = (
            None if observer.seat is None else Desk(observer.seat, cast.others_of(observer.seat), say)
        )
        self._game = playback.header_for(observer).game
        self._sides = () if self._desk else side_priorities(self._game, self.cast, say)
        self._drafts, self._draft_positions = self._find_drafts()
        self.lines, self._line_positions = self._find_lines()

    def lines_by(self, position: int) -> int:
        """How many of the lines there are at a position."""
        return bisect_right(self._line_positions, position)

    def scene(self, position: int, t: float) -> Scene:
        """What is shown at a position, at a session time from then to the next event."""
        view = self._playback.view_at(position, self.observer)
        if self._desk is None:
            return self._whole(view.state, position, t)
        over = position == len(self._playback.events) and view.state.ending is not None
        return self._as_seen(self._desk, view, position, t, over=over)

    def _as_seen(self, desk: Desk, view: View, position: int, t: float, *, over: bool) -> Scene:
        say, shown = self._say, view.state.presence[desk.seat]
        table = desk.view(view, t, Draft(view.state.game), finished=over)
        own = say(YOU_LOOK[table.my_expression])
        act = doing(shown, t, say)
        offer = self._offer(view.state, position)
        if table.end is not None:
            offer = " ".join(part for part in (table.end.heading + ".", table.end.points) if part)
        return Scene(
            header=table.header,
            other=table.other,
            tracker=table.tracker,
            own=say("{looks} · {doing}", looks=own, doing=act) if act else own,
            offer=offer,
            table=table,
        )

    def _whole(self, state: State, position: int, t: float) -> Scene:
        say, cast = self._say, self.cast
        shown = state.presence[cast.mine]
        expression = shown.expression if t < shown.expression_until else Expression.NEUTRAL
        own, act = say(NAME_LOOKS[expression], name=cast.names[cast.mine]), doing(shown, t, say)
        return Scene(
            header=header_view(state, t, cast, say),
            other=other_view(state, t, cast, say),
            tracker=tracker(state, cast, say),
            own=say("{looks} · {doing}", looks=own, doing=act) if act else own,
            offer=self._offer(state, position),
            table=None,
            sides=self._sides,
        )

    def _offer(self, state: State, position: int) -> str:
        """What is being built, where the log has it, or else what is on the table."""
        say, at = self._say, bisect_right(self._draft_positions, position)
        seat, draft = self._drafts[at - 1] if at else ("", None)
        if draft is not None and state.ending is None:
            if self._desk is not None and seat == self._desk.seat:
                return say("Your draft: {offer}", offer=self._terms(draft))
            names = self._desk.names if self._desk is not None else self.cast.names
            return say("{name} is building: {offer}", name=names[seat], offer=self._terms(draft))
        if state.ending is not None:
            deal = state.ending.deal
            return (
                say("The deal: {offer}", offer=self._terms(deal))
                if isinstance(deal, Offer)
                else say("No deal")
            )
        on_table = bargaining(state).on_table
        if on_table is None:
            return say("Nothing is on the table yet.")
        return say("On the table: {offer}", offer=self._terms(on_table.offer))

    def _terms(self, offer: Offer) -> str:
        """An offer in one line, by the names that the observer knows."""
        desk = self._desk
        if desk is None:
            return offer_line(offer, self._game, self.cast, self._say)
        rows = offer_rows(offer, self._game, desk.seat, desk.names, self._say)
        return "; ".join(f"{issue}: {words}" for issue, words in rows)

    def _find_drafts(self) -> tuple[list[tuple[Seat, Offer | None]], list[int]]:
        """Every draft that was shared, and every offer, with which building is over."""
        drafts: list[tuple[Seat, Offer | None]] = []
        positions: list[int] = []
        for moment in self._playback.moments(self.observer):
            match moment.event.payload:
                case Drafting(draft=Offer() as draft) if draft.terms:
                    drafts.append((moment.event.sender, draft))
                case OfferMade():
                    drafts.append((moment.event.sender, None))
                case _:
                    continue
            positions.append(moment.position)
        return drafts, positions

    def _find_lines(self) -> tuple[tuple[Line, ...], list[int]]:
        """All lines of the transcript, and the position at which each comes."""
        moments = self._playback.moments(self.observer)
        if self._desk is None:
            lines = whole_lines(moments, self._game, self.cast, self._say)
        else:
            state = self._playback.view_at(len(self._playback.events), self.observer).state
            lines = self._desk.lines(state, state.transcript_of(self._desk.seat))
            # The live window says this too; it stands in nobody's transcript.
            resumed = (m.event for m in moments if m.event.type == EventType.RESUMED)
            lines += [Line("note", "", self._say(RESUMED), seq=event.seq, t=event.t) for event in resumed]
            lines.sort(key=lambda line: line.seq)
        places = {moment.event.seq: moment.position for moment in moments}
        return tuple(lines), [places[line.seq] for line in lines]


def _opposite(cast: Cast, seat: Seat) -> Seat:
    return next((other for other in cast.names if other != seat), seat)
