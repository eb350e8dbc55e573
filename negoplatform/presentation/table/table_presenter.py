"""Presenter of the participant's window: computes its views, without Tk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event, EventType
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import View
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.assistant_texts import coach_items
from negoplatform.presentation.chat.address_view import EVERYONE, Address, address_names, address_view
from negoplatform.presentation.face_mood import FaceReader
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_text, truncate
from negoplatform.presentation.plots.seat_styles import SeatMark, shown_marks
from negoplatform.presentation.table.others_presenter import OthersPresenter, last_speaker
from negoplatform.presentation.table.result_view import end_view
from negoplatform.presentation.table.rules_text import rules_view, subtitle
from negoplatform.presentation.table.table_view import HeaderView, RulesView, TableView
from negoplatform.presentation.table.work_presenter import WorkPresenterFactory, WorkT
from negoplatform.presentation.time_and_points_text import clock_text, points_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, transcript_entries

URGENT_SECONDS = 60
"""Remaining time in seconds from which the clock is shown as urgent, in colour and words."""

MAX_NAME_LENGTH = 20
"""Maximum length of a displayed name, in characters; names are part of button labels."""


def clock_header(state: State, now: float, subtitle: str, translate: Language) -> HeaderView:
    """Return the bar at the top with the game and the clock, but without points."""
    deadline = state.game.rules.deadline_seconds
    left = None if deadline is None else max(0.0, deadline - elapsed_time(state, now))
    return HeaderView(
        title=localized_text(state.game.title, translate),
        subtitle=subtitle,
        clock=clock_text(left, translate),
        clock_words=translate("time left")
        if state.ended_at is None
        else translate(game_words(state.game.mechanism).ended),
        left=None if left is None or not deadline else left / deadline,
    )


def elapsed_time(state: State, now: float) -> float:
    """Return the seconds that the game has run: until ``now`` (s), or until its end."""
    return now if state.ended_at is None else state.ended_at


def shown_names(names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of seats as they are displayed: without control characters, and not too long."""
    return {who: truncate(displayable(name), MAX_NAME_LENGTH) for who, name in names.items()}


class TablePresenter:
    """Presenter for one seat: computes views from the state, and stores nothing else.

    Args:
        seat: Seat of the participant.
        names: Display names of the other seats, in the game's order.
        translate: Translation into the window's language.
        make_work: Makes the presenter of the game's mechanism.
        people: Other seats of people, whose faces show no mood between their expressions.
        marks: Marks of the seats; None: those of a participant's window.
    """

    def __init__(
        self,
        seat: Seat,
        names: Mapping[Seat, str],
        translate: Language,
        make_work: WorkPresenterFactory,
        *,
        people: Collection[Seat] = (),
        marks: Mapping[Seat, SeatMark] | None = None,
    ) -> None:
        self.seat = seat
        self._faces = FaceReader(people)
        self.translate = translate
        self.names = shown_names(names)
        self.marks = shown_marks([seat, *names], seat) if marks is None else marks
        self.work = make_work(seat, self.names, translate)
        """The presenter of the game's mechanism."""
        self._others = OthersPresenter(seat, self.names, self._faces, self.marks, translate, self.work)

    def view(
        self,
        view: View,
        now: float,
        work: WorkT,
        *,
        finished: bool = False,
        left_on_table: ParetoImprovement | None = None,
        address: Address = EVERYONE,
    ) -> TableView[WorkT]:
        """Return the whole view at a session time in seconds.

        Args:
            view: What the participant may see of the session.
            now: Session time in seconds.
            work: What the mechanism shows.
            finished: Whether the closing is over.
            left_on_table: Possible improvement of the result, if the game reveals it.
            address: Recipients of what the participant says.
        """
        state, translate = view.state, self.translate
        shown = state.presence[self.seat]
        can_talk = self._is_allowed(EventType.SEND_MESSAGE, state, finished)
        return TableView(
            header=self._header(state, now),
            others=self._others.views(state, now),
            last_speaker=last_speaker(state, self.seat),
            my_expression=shown.expression_at(now),
            expression_until=shown.expression_until if now < shown.expression_until else None,
            can_express=self._is_allowed(EventType.SEND_EXPRESSION, state, finished),
            can_talk=can_talk,
            address=address_view(
                address,
                self.names,
                translate,
                running=state.phase is Phase.NEGOTIATING,
                can_talk=can_talk,
            )
            if state.game.rules.talk
            else None,
            talk_hint=self._talk_hint(state.phase is Phase.NEGOTIATING, can_talk, address),
            talk_note=self.work.talk_note(state),
            phrases=self.work.phrases(state, now, can_talk=can_talk),
            work=work,
            end=None
            if state.ending is None
            else end_view(
                state,
                self.seat,
                self.names,
                translate,
                work=self.work.result(state, left_on_table),
                finished=finished,
                can_talk=can_talk,
            ),
            coach=coach_items(state, self.seat, self.names, translate),
        )

    def rules(self, game: GameSpec) -> RulesView:
        """Return the page of rules; ``game`` as visible to the seat."""
        return rules_view(game, self.seat, self.names, self.translate, self.work.rules(game))

    def time_key(self, view: View, now: float) -> tuple[object, ...]:
        """Return the time-dependent parts of the view; while they are equal, no update is needed."""
        state = view.state
        deadline = state.game.rules.deadline_seconds
        shown = [
            now < until
            for presence in state.presence.values()
            for until in (presence.expression_until, presence.typing_until, presence.drafting_until)
        ]
        return (
            clock_text(None if deadline is None else deadline - now, self.translate),
            *self._others.time_key(state, now),
            *self.work.time_key(state, now),
            *shown,
        )

    def transcript_entries(
        self, state: State, events: Sequence[Event], resumed: Sequence[Event] = ()
    ) -> list[TranscriptEntry]:
        """Return the transcript entries for some events, and for resumptions after an interruption."""
        lines = transcript_entries(
            state, events, self.seat, self.names, self.translate, faces=self._faces, marks=self.marks
        )
        of_work = [line for event in events for line in self.work.transcript_entries(state, event)]
        replaced = {line.seq for line in of_work}
        lines = [line for line in lines if line.seq not in replaced]
        went_on = [
            TranscriptEntry(
                "note", "", self.translate(game_words(state.game.mechanism).resumed), seq=event.seq, t=event.t
            )
            for event in resumed
        ]
        further = [*(line for line in of_work if line.text), *went_on]
        return sorted([*lines, *further], key=lambda line: line.seq) if further else lines

    def _is_allowed(self, kind: EventType, state: State, finished: bool) -> bool:
        """Return whether talk may be sent: any during the game, each kind once in the closing."""
        if not state.game.rules.talk:
            return False
        if state.phase is Phase.NEGOTIATING:
            return True
        said = state.presence[self.seat].closing_actions
        return not finished and state.phase is Phase.CLOSING and kind not in said

    def _talk_hint(self, running: bool, can_talk: bool, address: Address) -> str:
        if running and len(self.names) > 1 and not address:
            return self.translate("Message everyone")
        if running and address:
            recipients = address_names(address, self.names, self.translate)
            return self.translate("Message only {names}", names=recipients)
        if running:
            return self.translate("Message {names}", names=self._other_names())
        return self.translate("Send a last message") if can_talk else ""

    def _header(self, state: State, now: float) -> HeaderView:
        game, translate = state.game, self.translate
        at, deadline = elapsed_time(state, now), game.rules.deadline_seconds
        header = clock_header(state, now, subtitle(game, self.seat, self.names, translate), translate)
        clock_words, running = header.clock_words, state.ended_at is None
        urgent = running and deadline is not None and deadline - at <= URGENT_SECONDS
        if urgent:
            clock_words = translate("last minute")
        worth = self.work.header(state, at)
        if worth.clock is not None:
            clock_words, urgent = worth.clock.words, worth.clock.urgent
            header = replace(header, clock=worth.clock.clock, left=worth.clock.left)
        elif running and worth.limit:
            clock_words = translate("{clock}, {limit}", clock=clock_words, limit=worth.limit)
        if running and worth.cost:
            spent = points_text(worth.cost, translate)
            clock_words = translate("{clock}, it has cost you {points}", clock=clock_words, points=spent)
        return replace(
            header,
            subtitle=worth.subtitle or header.subtitle,
            clock_words=clock_words,
            urgent=urgent,
            points=worth.points,
            points_words=worth.words,
            compared=worth.compared,
            versus=worth.versus,
            colours_points=worth.colours_points,
            can_walk_away=state.phase is Phase.NEGOTIATING and worth.can_walk_away,
        )

    def _other_names(self) -> str:
        return join_names([*self.names.values()], self.translate)
