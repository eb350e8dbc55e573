"""What the replay viewer shows of a recorded session at one moment, as one observer saw it. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from negoplatform.app.playback.playback import Playback
from negoplatform.core.events import Drafting, EventType, Expression, OfferMade
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, View
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.progress_view import ProgressView
from negoplatform.presentation.formatting import (
    NAMED_EXPRESSION_SENTENCES,
    OWN_EXPRESSION_SENTENCES,
    RESUMED,
    offer_rows,
)
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.replay.all_sides_view import (
    SidePriorities,
    activity_text,
    all_sides_lines,
    counterpart_view,
    header_view,
    progress_view,
    side_priorities,
)
from negoplatform.presentation.replay.event_descriptions import offer_line
from negoplatform.presentation.replay.participants import Participants
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.table.table_view import CounterpartView, HeaderView, TableView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """One moment.

    Args:
        header: The bar at the top.
        counterpart: Whose face is shown.
        progress: How far the seats are.
        own: What the side that looks shows of itself, in words.
        offer: What it is building, or else what is on the table, in words; empty if nothing is.
        table: What a participant's window would show; None for somebody who sits nowhere.
        sides: What matters to every side; empty where ``table`` says it.
    """

    header: HeaderView
    counterpart: CounterpartView
    progress: ProgressView
    own: str
    offer: str
    table: TableView | None
    sides: tuple[SidePriorities, ...] = ()


class ReplayPresenter:
    """A playback as one observer reads it.

    Args:
        playback: The session.
        observer: Who looks.
        participants: Who sits where.
        say: The window's language.
    """

    def __init__(
        self, playback: Playback, observer: Observer, participants: Participants, translate: Language
    ) -> None:
        translate = translate.for_game(playback.header.game.name)
        self._playback, self._translate = playback, translate
        self.observer = observer
        self.participants = (
            replace(participants, mine=observer.seat, other=_opposite(participants, observer.seat))
            if observer.seat
            else participants
        )
        self._table_presenter = (
            None
            if observer.seat is None
            else TablePresenter(observer.seat, participants.counterpart_names(observer.seat), translate)
        )
        self._game = playback.header_for(observer).game
        self._sides = (
            () if self._table_presenter else side_priorities(self._game, self.participants, translate)
        )
        self._drafts, self._draft_positions = self._find_drafts()
        self.lines, self._line_positions = self._find_lines()

    def line_count(self, position: int) -> int:
        """How many of the lines there are at a position."""
        return bisect_right(self._line_positions, position)

    def frame_at(self, position: int, t: float) -> ReplayFrame:
        """What is shown at a position, at a session time from then to the next event."""
        view = self._playback.view_at(position, self.observer)
        if self._table_presenter is None:
            return self._all_sides_frame(view.state, position, t)
        over = position == len(self._playback.events) and view.state.ending is not None
        return self._participant_frame(self._table_presenter, view, position, t, over=over)

    def _participant_frame(
        self, presenter: TablePresenter, view: View, position: int, t: float, *, over: bool
    ) -> ReplayFrame:
        translate, shown = self._translate, view.state.presence[presenter.seat]
        table = presenter.view(view, t, Draft(view.state.game), finished=over)
        own = translate(OWN_EXPRESSION_SENTENCES[table.my_expression])
        act = activity_text(shown, t, translate)
        offer = self._offer(view.state, position)
        if table.end is not None:
            offer = " ".join(part for part in (table.end.heading + ".", table.end.points) if part)
        return ReplayFrame(
            header=table.header,
            counterpart=table.counterpart,
            progress=table.progress,
            own=translate("{looks} · {doing}", looks=own, doing=act) if act else own,
            offer=offer,
            table=table,
        )

    def _all_sides_frame(self, state: State, position: int, t: float) -> ReplayFrame:
        translate, cast = self._translate, self.participants
        shown = state.presence[cast.mine]
        expression = shown.expression if t < shown.expression_until else Expression.NEUTRAL
        own, act = (
            translate(NAMED_EXPRESSION_SENTENCES[expression], name=cast.names[cast.mine]),
            activity_text(shown, t, translate),
        )
        return ReplayFrame(
            header=header_view(state, t, cast, translate),
            counterpart=counterpart_view(state, t, cast, translate),
            progress=progress_view(state, cast, translate),
            own=translate("{looks} · {doing}", looks=own, doing=act) if act else own,
            offer=self._offer(state, position),
            table=None,
            sides=self._sides,
        )

    def _offer(self, state: State, position: int) -> str:
        """What is being built, where the log has it, or else what is on the table."""
        translate, at = self._translate, bisect_right(self._draft_positions, position)
        seat, draft = self._drafts[at - 1] if at else ("", None)
        if draft is not None and state.ending is None:
            if self._table_presenter is not None and seat == self._table_presenter.seat:
                return translate("Your draft: {offer}", offer=self._terms(draft))
            names = (
                self._table_presenter.names if self._table_presenter is not None else self.participants.names
            )
            return translate("{name} is building: {offer}", name=names[seat], offer=self._terms(draft))
        if state.ending is not None:
            deal = state.ending.deal
            return (
                translate("The deal: {offer}", offer=self._terms(deal))
                if isinstance(deal, Offer)
                else translate("No deal")
            )
        on_table = bargaining_state(state).on_table
        if on_table is None:
            return translate("Nothing is on the table yet.")
        return translate("On the table: {offer}", offer=self._terms(on_table.offer))

    def _terms(self, offer: Offer) -> str:
        """An offer in one line, by the names that the observer knows."""
        desk = self._table_presenter
        if desk is None:
            return offer_line(offer, self._game, self.participants, self._translate)
        rows = offer_rows(offer, self._game, desk.seat, desk.names, self._translate)
        return "; ".join(f"{issue}: {words}" for issue, words in rows)

    def _find_drafts(self) -> tuple[list[tuple[Seat, Offer | None]], list[int]]:
        """Every draft that was shared, and every offer, with which building is over."""
        drafts: list[tuple[Seat, Offer | None]] = []
        positions: list[int] = []
        for moment in self._playback.observed_events(self.observer):
            match moment.event.payload:
                case Drafting(draft=Offer() as draft) if draft.terms:
                    drafts.append((moment.event.sender, draft))
                case OfferMade():
                    drafts.append((moment.event.sender, None))
                case _:
                    continue
            positions.append(moment.position)
        return drafts, positions

    def _find_lines(self) -> tuple[tuple[TranscriptEntry, ...], list[int]]:
        """All lines of the transcript, and the position at which each comes."""
        moments = self._playback.observed_events(self.observer)
        if self._table_presenter is None:
            lines = all_sides_lines(moments, self._game, self.participants, self._translate)
        else:
            state = self._playback.view_at(len(self._playback.events), self.observer).state
            lines = self._table_presenter.transcript_entries(
                state, state.transcript_of(self._table_presenter.seat)
            )
            # The live window says this too; it stands in nobody's transcript.
            resumed = (m.event for m in moments if m.event.type == EventType.RESUMED)
            lines += [
                TranscriptEntry("note", "", self._translate(RESUMED), seq=event.seq, t=event.t)
                for event in resumed
            ]
            lines.sort(key=lambda line: line.seq)
        places = {moment.event.seq: moment.position for moment in moments}
        return tuple(lines), [places[line.seq] for line in lines]


def _opposite(participants: Participants, seat: Seat) -> Seat:
    return next((other for other in participants.names if other != seat), seat)
