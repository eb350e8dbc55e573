"""Presenter of the other seats: their faces, what they are doing, and who of them has accepted. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from negoplatform.core.events import Event, EventType
from negoplatform.core.state import Phase, SeatPresence, State
from negoplatform.domain.game_display_texts import names_role
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.expression_words import (
    EXPRESSION_SENTENCES,
    MILD_EXPRESSION_SENTENCES,
    STRONG_INTENSITY,
)
from negoplatform.presentation.face_mood import FaceReader, ShownFace
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role
from negoplatform.presentation.plots.seat_styles import SeatMark
from negoplatform.presentation.table.table_view import Gaze, OtherView
from negoplatform.presentation.table.work_presenter import WorkPresenter

THINKING_SECONDS = 6
"""Seconds for which another seat is shown as thinking after the participant's last action."""

TYPING_GAP = 0.6
"""Seconds for which the eyes stay after a typing sign: that of a person who types on is renewed."""

CARD_GAZE = 2.5
"""Seconds for which the others' eyes are on an offer of the participant that has just arrived."""

SPEAKS = frozenset({EventType.SEND_MESSAGE, EventType.SEND_OFFER})
"""Events by which a seat becomes the one that spoke last."""


def other_view(
    state: State,
    seat: Seat,
    name: str,
    face: ShownFace,
    now: float,
    activity: str,
    translate: Language,
    gaze: Gaze = "ahead",
    *,
    accepted: bool = False,
) -> OtherView:
    """Return a seat as others see it at session time ``now`` (s).

    ``activity``: what it does, in words; ``accepted``: whether it has accepted the offer on the table.
    """
    role = localized_role(seat, translate) if names_role(seat, state.game) else ""
    strong = face.intensity >= STRONG_INTENSITY
    sentences = EXPRESSION_SENTENCES if strong else MILD_EXPRESSION_SENTENCES
    return OtherView(
        seat,
        name,
        face.expression,
        translate(sentences[face.expression]),
        activity,
        role="" if role.casefold() == name.casefold() else role,
        typing=now < state.presence[seat].typing_until,
        intensity=face.intensity,
        gaze=gaze,
        accepted=accepted,
    )


def visible_activity(shown: SeatPresence, now: float, translate: Language) -> str:
    """Return in words that a seat types or builds an offer; empty if it does neither."""
    if now < shown.typing_until:
        return translate("is typing…")
    return translate("is building an offer…") if now < shown.drafting_until else ""


def last_speaker(state: State, seat: Seat) -> Seat:
    """Return the other seat whose message or offer is the newest that a seat sees; else the first other."""
    others = state.game.others(seat)
    spoken = (
        event.sender
        for event in state.iter_transcript_backwards(seat)
        if event.type in SPEAKS and event.sender in others
    )
    return next(spoken, others[0])


class OthersPresenter:
    """Presenter of the other seats for one participant.

    Args:
        seat: Seat of the participant.
        names: Display names of the other seats.
        faces: Reader of the faces.
        marks: Marks of the seats; empty where there is only one other.
        translate: Translation into the window's language.
        work: Presenter of the game's mechanism.
    """

    def __init__(
        self,
        seat: Seat,
        names: Mapping[Seat, str],
        faces: FaceReader,
        marks: Mapping[Seat, SeatMark],
        translate: Language,
        work: WorkPresenter,
    ) -> None:
        self._seat, self._names, self._faces, self._translate = seat, names, faces, translate
        self._marks, self._work = marks, work

    def views(self, state: State, now: float) -> tuple[OtherView, ...]:
        """Return the other seats at a session time in seconds, in the game's order."""
        return tuple(self._view(state, seat, now) for seat in state.game.others(self._seat))

    def time_key(self, state: State, now: float) -> tuple[object, ...]:
        """Return the time-dependent parts of the views; while they are equal, no update is needed."""
        others = state.game.others(self._seat)
        doing = [self._activity_text(state, seat, now) for seat in others]
        faces = [self._faces.face(state, seat, now) for seat in others]
        return (*doing, *faces, self._gaze(state, now))

    def _view(self, state: State, seat: Seat, now: float) -> OtherView:
        face, activity = self._faces.face(state, seat, now), self._activity_text(state, seat, now)
        gaze, row = self._gaze(state, now), self._work.seat_row(state, seat)
        view = other_view(
            state, seat, self._names[seat], face, now, activity, self._translate, gaze, accepted=row.accepted
        )
        role = view.role
        if seat in state.game.allies_of(self._seat):
            translate = self._translate
            role = translate("{role} · your team", role=role) if role else translate("your team")
        return replace(view, role=role, priorities=row.priorities, mark=self._marks.get(seat))

    def _gaze(self, state: State, now: float) -> Gaze:
        """Return the direction of the others' eyes."""
        if now < state.presence[self._seat].typing_until + TYPING_GAP:
            return "line"
        offered_at = self._faces.last_offer_at(state, self._seat)
        return "card" if offered_at is not None and offered_at <= now < offered_at + CARD_GAZE else "ahead"

    def _activity_text(self, state: State, seat: Seat, now: float) -> str:
        """Return another seat's activity, as far as it is visible or can be guessed."""
        translate = self._translate
        if visible := visible_activity(state.presence[seat], now, translate):
            return visible
        if state.phase is not Phase.NEGOTIATING:
            return ""
        if doing := self._work.seat_row(state, seat).activity:
            return doing
        match self._unanswered(state, seat, now):
            case EventType.SEND_OFFER:
                return translate("is thinking about your offer…")
            case EventType.SEND_MESSAGE:
                return translate("is thinking…")
            case _:
                return ""

    def _unanswered(self, state: State, seat: Seat, now: float) -> str:
        """Return the type of the participant's newest act that another seat may be thinking about.

        What third seats say meanwhile changes nothing; an offer of theirs, which replaces the participant's,
        does. A message to others only is nothing to think about.
        """
        for event in state.iter_transcript_backwards(self._seat):
            if now - event.t > THINKING_SECONDS or event.sender == seat:
                return ""
            if event.sender == self._seat and _reaches(event, seat):
                return event.type
            if event.sender in self._names and event.type == EventType.SEND_OFFER:
                return ""
        return ""


def _reaches(event: Event, seat: Seat) -> bool:
    return not event.to or seat in event.to
