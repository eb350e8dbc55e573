"""Typed text at a table without a window, and replacements of the window's parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast

from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.core.events import Event, Message, Note
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.bargaining.offer_confirmations import OfferConfirmations
from negoplatform.gui.bargaining.typed_message_controller import PendingMessage, TypedMessageController
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.language import DialogueContext, Interpretation
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.interpretation.interpretation_view import InterpretationView
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.testing import TrialTable
from tests.inline_participant import AtOnce, participant_at
from tests.presentation.bargaining_desk import BargainingDesk

NAMES = {"agent": "Rowan"}

SOME = Offer({"bananas": Allocation({"human": 3, "agent": 1})})
OTHERS = Offer({"bananas": Allocation({"human": 1, "agent": 3})})
EVEN = {"bananas": (2, 2), "grain": (3, 2), "wood": (1, 2), "spices": (2, 1)}


class Asked:
    """Replacement of the confirmation dialog: it keeps the question, and the test answers it."""

    def __init__(self) -> None:
        self.question: ConfirmationQuestion | None = None
        self.yes: Callable[[], None] = lambda: None

    def ask(self, question: ConfirmationQuestion, on_yes: Callable[[], None]) -> None:
        self.question, self.yes = question, on_yes


class TypedAt:
    """Participant who types at a table; the test determines the interpretation of each text."""

    def __init__(
        self,
        table: TrialTable,
        *,
        waiting: PendingMessage | None = None,
        live: AtOnce | None = None,
        names: Mapping[Seat, str] = MappingProxyType(NAMES),
    ) -> None:
        table.start()
        self.table = table
        self.live = live or AtOnce(table)
        self.address: Address = EVERYONE
        self.updates = SessionUpdateReader(cast("ParticipantSeat", self.live))
        self.asked = Asked()
        self.understood: Interpretation | BaseException = Interpretation("")
        self.shown: InterpretationView | None = None
        self.read: list[str] = []
        self.languages: list[str] = []
        self.recipients: list[tuple[Seat, ...]] = []
        self.spoken: list[str] = []
        self.edited: list[Offer] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.problems: list[BaseException] = []
        desk, participant = BargainingDesk(self.live.seat, names, ENGLISH), participant_at(self.live)
        self.reader = TypedMessageController(
            presenter=desk,
            updates=self.updates,
            participant=participant,
            confirmations=OfferConfirmations(
                desk.bargaining, self.updates, participant, cast("ModalHost", self.asked), ENGLISH
            ),
            on_show=self._show,
            on_sent=self._speak,
            on_edit=self.edited.append,
            announce=lambda happening, **data: self.told.append((happening, data)),
            report=self.problems.append,
            address=lambda: self.address,
            pending=waiting,
            parse=self._read,
        )
        self.look()

    def types(self, text: str, **understood: Any) -> None:
        """Type a text and press Enter; its interpretation is given."""
        self.understood = Interpretation(text, **understood)
        self.reader.submit(text)

    def wishes(self, text: str, offer: Offer) -> None:
        """Type a text and press Enter; its interpretation is a wish for the offer's terms."""
        self.types(text, offers=(offer,), sure=0.95, soft=True)

    def look(self, *, frozen: str = "") -> None:
        """Deliver the table's newest state to the window, or the reason for a pause."""
        view = view_of(self.table.state, Observer(self.live.seat))
        self.live.updates.put(SessionUpdate(view, None, 0.0, frozen=frozen))
        assert self.updates.next_update() is not None
        self.reader.refresh()

    @property
    def heading(self) -> str:
        """Heading of the interpretation strip; empty if there is none."""
        return "" if self.shown is None else self.shown.heading

    @property
    def chips(self) -> list[tuple[str, ...]]:
        """The strip's chips: the issue and the chip's words; the issue alone where it has none."""
        chips = () if self.shown is None else self.shown.chips
        return [(chip.issue, *chip.words) for chip in chips]

    @property
    def armed(self) -> bool:
        """Whether Enter would confirm the shown interpretation."""
        return self.shown is not None and self.shown.confirms_on_enter

    def notes(self) -> list[dict[str, Any]]:
        """Return the data of the notes so far, with their kind."""
        return [
            {"kind": event.payload.kind.value, **event.payload.data}
            for event in self.table.events
            if isinstance(event.payload, Note)
        ]

    def happened(self) -> list[str]:
        """Return the types of the events since the start; for a note its kind."""
        return [_name(event) for event in self.table.events[1:]]

    def _show(self, view: InterpretationView | None) -> None:
        self.shown = view

    def _speak(self, message: Message, _to: Address) -> None:
        self.spoken.append(message.text)

    def _read(self, text: str, situation: DialogueContext) -> Interpretation:
        self.read.append(text)
        self.languages.append(situation.language)
        self.recipients.append(situation.to)
        if isinstance(self.understood, BaseException):
            raise self.understood
        return self.understood


def _name(event: Event) -> str:
    return event.payload.kind.value if isinstance(event.payload, Note) else str(event.type)
