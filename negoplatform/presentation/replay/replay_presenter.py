"""Contents of the replay viewer at one moment, for one observer. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from negoplatform.app.playback.playback import Playback
from negoplatform.core.events import Drafting, EventType, OfferMade
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, View
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.acceptance_count import has_accepted
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingPresenter, BargainingView
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.issue_progress_view import ProgressView, progress_view
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection
from negoplatform.presentation.event_texts import expression_sentence
from negoplatform.presentation.face_mood import FaceReader
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.offers.term_texts import offer_line
from negoplatform.presentation.plots.seat_styles import shown_marks
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.all_sides_view import (
    AllSidesLines,
    header_view,
    side_priorities,
)
from negoplatform.presentation.replay.event_words import MomentView
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames
from negoplatform.presentation.table.others_presenter import other_view, visible_activity
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.table.table_view import HeaderView, OtherView, TableView
from negoplatform.presentation.table.work_presenter import WorkPresenter
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.presentation.work_presenters import WORK_PRESENTERS


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """View of a recorded session at one moment.

    Args:
        header: The bar at the top.
        others: The sides whose faces are shown.
        last_speaker: The one of them that spoke last.
        progress: The state of agreement on each issue.
        own: The expression and visible activity of the observer's side, in words.
        offer: The draft being built, or else the offer on the table, in words; of other kinds of game the
            state, in words.
        table: The participant's view at that moment; None for an observer without a seat.
        sides: The preferences of every side; empty where ``table`` has them.
        moment: What happens at the moment; None in bargaining.
    """

    header: HeaderView
    others: tuple[OtherView, ...]
    last_speaker: Seat
    progress: ProgressView
    own: str
    offer: str
    table: TableView[BargainingView] | None
    sides: tuple[PrioritySection, ...] = ()
    moment: MomentView | None = None


class ReplayPresenter:
    """Presenter of a playback for one observer.

    Args:
        playback: The session.
        observer: The observer.
        participants: The names of the session.
        translate: The window's language.
    """

    def __init__(
        self, playback: Playback, observer: Observer, participants: SeatOccupantNames, translate: Language
    ) -> None:
        translate = translate.for_game(playback.header.game.name)
        self._playback, self._translate = playback, translate
        self.observer = observer
        self.participants = participants.from_seat(observer.own_seat) if observer.own_seat else participants
        people = [seat for seat, who in participants.occupants.items() if who.kind != "agent"]
        self._faces = FaceReader(people)
        # The same marks in every view, and on the timeline.
        self._marks = shown_marks(participants.names, participants.mine)
        # The replay shows a participant's window for bargaining alone; other kinds of game are shown as
        # Everything is, in the words of that window.
        self._bargains = playback.header.game.mechanism == BARGAINING
        self._table_presenter = (
            None
            if observer.own_seat is None or not self._bargains
            else TablePresenter(
                observer.own_seat,
                participants.counterpart_names(observer.own_seat),
                translate,
                BargainingPresenter,
                people=people,
                marks=self._marks,
            )
        )
        self._names = self._table_presenter.names if self._table_presenter else participants.names
        self._game = playback.header_for(observer).game
        self._sides = (
            () if self._table_presenter else side_priorities(self._game, self.participants, translate)
        )
        observed = [moment.event for moment in playback.observed_events(observer)]
        self._words = act_words(
            observed, self._game, participants.names, translate, seat=observer.own_seat or ""
        )
        self._drafts: list[tuple[Seat, Offer | None]] = []
        self._draft_positions: list[int] = []
        self._line_positions: list[int] = []
        self.lines: list[TranscriptEntry] = []
        """All lines of the transcript."""
        self._read = len(observed)
        self._add_drafts(0)
        self._all_sides = AllSidesLines(
            self.participants,
            self._translate,
            words=self._words,
            faces=self._faces,
            marks=self._marks,
            own=self._own_work(),
        )
        if self._table_presenter is None:
            self._add_lines(0)
        else:
            self._find_lines(self._table_presenter)

    @property
    def bargains(self) -> bool:
        """Whether it is a session of bargaining."""
        return self._bargains

    def extend(self) -> None:
        """Add the events that a session in progress has had since; not for a seat's view of bargaining."""
        first = self._read
        observed = self._playback.observed_events(self.observer)
        self._read = len(observed)
        for moment in observed[first:]:
            self._words.add(moment.event)
        self._add_drafts(first)
        self._add_lines(first)

    def line_count(self, position: int) -> int:
        """Return the number of transcript lines at a position."""
        return bisect_right(self._line_positions, position)

    def frame_at(self, position: int, t: float) -> ReplayFrame:
        """Return the view at a position, at a session time (s) before the next event."""
        view = self._playback.view_at(position, self.observer)
        if self._table_presenter is None:
            return self._all_sides_frame(view.state, position, t)
        over = position == len(self._playback.events) and view.state.ending is not None
        return self._participant_frame(self._table_presenter, view, position, t, over=over)

    def _participant_frame(
        self, presenter: TablePresenter, view: View, position: int, t: float, *, over: bool
    ) -> ReplayFrame:
        assert isinstance(presenter.work, BargainingPresenter)
        work = presenter.work.view(view.state, t, Draft(view.state.game))
        table = presenter.view(view, t, work, finished=over)
        offer = self._offer(view.state, position, t)
        if table.end is not None:
            offer = " ".join(part for part in (table.end.heading + ".", table.end.points) if part)
        return ReplayFrame(
            header=table.header,
            others=table.others,
            last_speaker=table.last_speaker,
            progress=work.progress,
            own=self._own_side(view.state, t),
            offer=offer,
            table=table,
        )

    def _all_sides_frame(self, state: State, position: int, t: float) -> ReplayFrame:
        translate, participants = self._translate, self.participants
        others = tuple(self._other(state, seat, t) for seat in participants.others)
        return ReplayFrame(
            header=header_view(
                state, t, participants, self.observer, translate, clock=self._words.clock(state, t)
            ),
            others=others,
            last_speaker=self._last_speaker(position),
            progress=progress_view(state, None, participants.names, translate)
            if self._bargains
            else ProgressView((), ""),
            own=self._own_side(state, t),
            offer=self._offer(state, position, t),
            table=None,
            sides=self._sides,
            moment=None if self._bargains else self._words.moment(state),
        )

    def _other(self, state: State, seat: Seat, t: float) -> OtherView:
        """Return a seat as everybody at the table sees it."""
        activity = visible_activity(state.presence[seat], t, self._translate)
        name, face = self.participants.names[seat], self._faces.face(state, seat, t)
        accepted = has_accepted(state, seat)
        view = other_view(state, seat, name, face, t, activity, self._translate, accepted=accepted)
        return replace(view, mark=self._marks.get(seat))

    def _last_speaker(self, position: int) -> Seat:
        """Return which of the others spoke last before a position."""
        earlier = (self.lines[index] for index in reversed(range(self.line_count(position))))
        spoken = (line.sender for line in earlier if line.kind in ("theirs", "offer_theirs"))
        return next(spoken, self.participants.others[0])

    def _own_side(self, state: State, t: float) -> str:
        """Return the expression and visible activity of the observer's side."""
        mine, translate = self.participants.mine, self._translate
        shown = state.presence[mine]
        looks = expression_sentence(
            shown.expression_at(t), mine, self.observer.own_seat, self._names, translate
        )
        doing = visible_activity(shown, t, translate)
        return translate("{looks} · {doing}", looks=looks, doing=doing) if doing else looks

    def _offer(self, state: State, position: int, t: float) -> str:
        """Return the draft being built, where the log has it, or else the offer on the table.

        Of another kind of game than bargaining, return the state in words.
        """
        if not self._bargains:
            return self._words.state_text(state, t)
        translate, at = self._translate, bisect_right(self._draft_positions, position)
        seat, draft = self._drafts[at - 1] if at else ("", None)
        if draft is not None and state.ending is None:
            if seat == self.observer.own_seat:
                return translate("Your draft: {offer}", offer=self._terms(draft))
            return translate("{name} is building: {offer}", name=self._names[seat], offer=self._terms(draft))
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
        """Return an offer in one line, with the names that the observer knows."""
        return offer_line(offer, self._game, self.observer.own_seat, self._names, self._translate)

    def _add_drafts(self, first: int) -> None:
        """Add the drafts from an observed event on, and the offers, after which there is no draft."""
        for moment in self._playback.observed_events(self.observer)[first:]:
            match moment.event.payload:
                case Drafting(draft=Offer() as draft) if draft.terms:
                    self._drafts.append((moment.event.sender, draft))
                case OfferMade():
                    self._drafts.append((moment.event.sender, None))
                case _:
                    continue
            self._draft_positions.append(moment.position)

    def _own_work(self) -> WorkPresenter | None:
        """Return the presenter of the observer's own window; None without a seat or a window of the kind."""
        seat, load = self.observer.own_seat, WORK_PRESENTERS.get(self._game.mechanism)
        if seat is None or load is None:
            return None
        names = self.participants.names
        return load()(seat, {other: names[other] for other in self._game.others(seat)}, self._translate)

    def _add_lines(self, first: int) -> None:
        """Add the lines from an observed event on, as an observer of all sides reads them."""
        state = self._playback.view_at(len(self._playback.events), self.observer).state
        for moment in self._playback.observed_events(self.observer)[first:]:
            line = self._all_sides.line(moment.event, state)
            if line is not None:
                self.lines.append(line)
                self._line_positions.append(moment.position)

    def _find_lines(self, presenter: TablePresenter) -> None:
        """Find all lines of the transcript of a seat's window."""
        moments = self._playback.observed_events(self.observer)
        state = self._playback.view_at(len(self._playback.events), self.observer).state
        # The live window shows this too; it is not part of a seat's transcript.
        resumed = [moment.event for moment in moments if moment.event.type == EventType.RESUMED]
        self.lines = presenter.transcript_entries(state, state.transcript_of(presenter.seat), resumed)
        places = {moment.event.seq: moment.position for moment in moments}
        self._line_positions = [places[line.seq] for line in self.lines]


def integrity_text(playback: Playback, translate: Language) -> str:
    """Return the result of the check made on opening, of every hash and every event."""
    if playback.problem is not None:
        return translate("Damaged log")
    if playback.header.view != "complete":
        return translate("Exported log")
    return translate("Log intact")


def damage_text(playback: Playback, translate: Language) -> str:
    """Return how much of a damaged log is shown, and the damage; empty for an intact log."""
    problem = playback.problem
    if problem is None:
        return ""
    count = len(playback.events)
    shown = translate.plural(
        "Only its first event is shown.", "Its first {n} events are shown.", count, n=f"{count:,}"
    )
    where, reason = displayable(problem.where), displayable(problem.reason)
    return translate(
        "This log is damaged at {where}: {reason}. {shown}", where=where, reason=reason, shown=shown
    )
