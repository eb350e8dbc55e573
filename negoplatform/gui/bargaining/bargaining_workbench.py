"""Workbench of bargaining: offer builder, offer cards, timeline, preferences and progress."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.core.state import State
from negoplatform.domain.offer import Offer
from negoplatform.gui.bargaining.compare_panel import ComparePanel
from negoplatform.gui.bargaining.offer_builder import OfferBuilder
from negoplatform.gui.bargaining.offer_card_controls import OfferCardActions, OfferControls
from negoplatform.gui.bargaining.offer_confirmations import OfferConfirmations
from negoplatform.gui.bargaining.offer_timeline_panel import OfferTimelinePanel
from negoplatform.gui.bargaining.preferences_panel import priority_sections
from negoplatform.gui.bargaining.side_cards import BargainingSideCards
from negoplatform.gui.bargaining.typed_message_controller import TypedMessageController
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.table.side_column import SideCards
from negoplatform.gui.table.workbench import WorkbenchHost
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingPresenter, BargainingView
from negoplatform.presentation.bargaining.counter_offer_draft import CounterOfferDraft
from negoplatform.presentation.bargaining.draft_codec import dump_draft, load_draft
from negoplatform.presentation.bargaining.draft_offer import DraftChange, DraftHistory
from negoplatform.presentation.bargaining.newest_offer_card_view import NewestOfferCardView
from negoplatform.presentation.bargaining.offer_builder_view import BuilderView
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.interpretation.interpretation_view import InterpretationView
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.table.work_presenter import WorkView
from negoplatform.presentation.transcript.offer_card_states import NewestOffer
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

DRAFTS_PER_SECOND = 4

LOW = 640
"""Window height, for 96 dpi, below which the offer timeline is folded at first."""


class BargainingWorkbench:
    """Workbench of bargaining; see :class:`~negoplatform.gui.table.workbench.Workbench`."""

    _host: WorkbenchHost
    _presenter: BargainingPresenter
    _confirmations: OfferConfirmations
    _reader: TypedMessageController
    _side: BargainingSideCards
    _chat: ChatPanel
    _card: OfferControls
    _timeline: OfferTimelinePanel
    _compared: ComparePanel
    _builder: OfferBuilder

    def __init__(self) -> None:
        self._history: DraftHistory | None = None
        self._counter: CounterOfferDraft | None = None
        self._share_soon: Throttle | None = None
        self._card_seq = 0

    @property
    def reader(self) -> TypedMessageController:
        """The reader of typed offers and acceptances."""
        return self._reader

    # Construction

    def build(self, host: WorkbenchHost) -> None:
        """Begin with an appearance; the draft and a pending message stay."""
        waiting = self._reader.pending if self._counter is not None else None
        assert isinstance(host.presenter.work, BargainingPresenter)
        self._host, self._presenter, self._card_seq = host, host.presenter.work, 0
        if self._counter is None:
            self._counter = CounterOfferDraft(host.seat, on_change=self._change_draft)
            self._share_soon = Throttle(host.theme.root, 1000 // DRAFTS_PER_SECOND, self._share_draft)
        self._confirmations = OfferConfirmations(
            self._presenter, host.updates, host.participant, host.dialogs, host.presenter.translate
        )
        self._reader = TypedMessageController(
            presenter=host.presenter,
            updates=host.updates,
            participant=host.participant,
            confirmations=self._confirmations,
            on_show=self._show_interpretation,
            on_sent=self._on_text_sent,
            address=host.address,
            on_edit=self._edit_terms,
            announce=host.announce,
            report=host.theme.report,
            pending=waiting,
        )

    def build_side(self, parent: tk.Misc) -> SideCards:
        """Build the cards of preferences and progress."""
        self._side = BargainingSideCards(parent, self._host.theme, self._host.pictures)
        return self._side.cards

    def build_in_talk(self, middle: tk.Widget, chat: ChatPanel) -> None:
        """Build the controls of the newest offer's card, the offer timeline, and the comparison below it."""
        host, theme = self._host, self._host.theme
        self._chat = chat
        self._card = OfferControls(
            chat.transcript_view.frame,
            theme,
            pictures=host.pictures,
            actions=OfferCardActions(
                accept=self._accept,
                counter=self._open_counter,
                decline=self._decline,
                send=self._send_offer,
                cancel=self._cancel_counter,
                change=self._change_draft,
            ),
            on_wheel=lambda step: chat.transcript_view.scroll(step, "units"),
            focus_home=lambda: chat.entry,
        )
        chat.transcript_view.embed_controls(self._card.frame)
        self._timeline = OfferTimelinePanel(
            middle, theme, above=chat.frame, on_pick=self._scroll_to_offer, on_compare=self._compare_offers
        )
        if theme.height < LOW:
            self._timeline.toggle()
        # Tab reaches it before the chat, in reading order.
        self._timeline.frame.lower(chat.frame)
        self._compared = ComparePanel(
            middle,
            theme,
            neighbour=self._timeline.frame,
            below=True,
            on_close=lambda: self._compared.set_open(False),
        )

    def build_column(self, parent: tk.Frame) -> tk.Widget:
        """Build the offer builder."""
        host = self._host
        self._builder = OfferBuilder(
            parent,
            host.theme,
            pictures=host.pictures,
            on_change=self._change_draft,
            on_undo=self.undo,
            on_redo=self.redo,
            on_send=self._send_offer,
            on_request=self._send_offer_request,
            on_accept=self._accept,
            others=len(host.presenter.names),
        )
        return self._builder.frame

    def tab_name(self, translate: Language) -> str:
        """Return the name of the builder's tab."""
        return translate("Offer")

    # What is shown

    def begin(self, state: State, saved: Mapping[str, Any] | None) -> None:
        """Begin with an empty draft, or the one of an interrupted session."""
        self._history = DraftHistory(load_draft(saved, state.game))

    def update(self, state: State) -> None:
        """End a counter-offer once there is no offer to counter."""
        if self._counter is not None:
            self._counter.update(state)

    def view(self, state: State, now: float) -> BargainingView:
        """Return the view at a session time in seconds."""
        assert self._history is not None, "the view comes after the first state"
        assert self._counter is not None, "the view comes after the widgets"
        return self._presenter.view(
            state,
            now,
            self._history.draft,
            can_undo=bool(self._history.past),
            counter_base_id=self._counter.base_offer_id,
        )

    def show(self, view: TableView[WorkView]) -> bool:
        """Show a view; return whether preferences or progress changed."""
        work = view.work
        assert isinstance(work, BargainingView)
        self._timeline.show(work.builder.bar.no_deal)
        if work.card is not None:
            self._show_card(work.card, work.builder)
        changed = self._side.show(priority_sections(work, view.others, self._host.theme), work.progress)
        if view.end is None:
            self._builder.show(work.builder, work.accept)
        return changed

    def _show_card(self, card: NewestOfferCardView, builder: BuilderView) -> None:
        talk, self._card_seq = self._chat.transcript_view, card.seq
        room = self._card.show(card, builder.rows, talk.room_for_controls)
        counter = card.counter
        if counter is None:
            talk.set_newest_offer(NewestOffer(card.seq, card.status, room=room))
        else:
            talk.set_newest_offer(NewestOffer(card.seq, counter.theirs, counter.heading, room, editing=True))

    def _show_interpretation(self, view: InterpretationView | None) -> None:
        """Show the interpretation of typed text; the phrases, which would cover it, are closed."""
        if view is not None and not self._chat.shows_interpretation:
            self._host.close_phrases()
        self._chat.show_interpretation(view)

    def add_lines(self, lines: Sequence[TranscriptEntry]) -> None:
        """Add new offers to the timeline."""
        self._timeline.add(lines)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {
            **self._builder.widgets(),
            **self._card.widgets(),
            **self._timeline.widgets(),
            "timeline.compare.close": self._compared.close_button,
            **self._side.widgets(),
        }

    def click_home(self) -> tk.Misc | None:
        """Return None: after a click, what is typed is a message."""
        return None

    def newest_act_place(self) -> tuple[int, int] | None:
        """Return the place of the newest offer's card."""
        return self._chat.transcript_view.place_of_offer(self._card_seq)

    def close_cards(self) -> bool:
        """Close the comparison, or else what the timeline or the builder has opened."""
        compared = self._compared.open
        self._compared.set_open(False)
        return compared or self._timeline.close() or self._builder.close()

    def close(self) -> None:
        """Close what the builder has opened."""
        self._builder.close()

    # The draft

    def undo(self) -> None:
        """Undo the last change of the draft."""
        self._step_history(DraftHistory.undone)

    def redo(self) -> None:
        """Redo what was undone."""
        self._step_history(DraftHistory.redone)

    def hold(self) -> None:
        """Send no sign that an offer is being built."""
        if self._share_soon is not None:
            self._share_soon.cancel()

    def prepare_offer(self, offer: Offer) -> None:
        """Put an offer into the builder in place of the draft, which can be restored by undo."""
        self._change_draft(lambda draft: draft.replaced_by(offer))

    def prepared_offer(self) -> Offer | None:
        """Return the draft's offer if it can be sent."""
        history = self._history
        return history.draft.offer if history is not None and history.draft.ready else None

    def to_document(self) -> dict[str, Any]:
        """Return the draft as JSON values."""
        assert self._history is not None, "nothing is kept before the first state"
        return dump_draft(self._history.draft)

    def _change_draft(self, change: DraftChange, typed: str = "", /) -> None:
        """Change the draft; an unchanged draft is not reported."""
        self._step_history(lambda history: history.changed(change(history.draft), typed))

    def _step_history(self, step: Callable[[DraftHistory], DraftHistory]) -> None:
        host, newest = self._host, self._host.updates.newest
        if newest is None or self._history is None:
            return
        if (history := step(self._history)) == self._history:
            return
        self._history = history
        host.redraw()
        builder = self._current_view().builder
        decided = self._presenter.draft_points_text(newest.view.state, host.updates.now, history.draft)
        host.announce(
            "draft", worth=decided, shown=builder.worth, note=builder.note, can_send=builder.can_send
        )
        if self._share_soon is not None:
            self._share_soon()
        host.save()

    def _share_draft(self) -> None:
        if self._history is not None and self._host.updates.running:
            self._host.participant.show_drafting(self._history.draft.offer)

    def _current_view(self) -> BargainingView:
        """Return the view of the newest state, disabled while the session is frozen."""
        updates = self._host.updates
        assert updates.newest is not None, "what can be pressed follows from a state"
        view = self.view(updates.newest.view.state, updates.now)
        return view.disabled() if updates.paused else view

    def _edit_terms(self, offer: Offer) -> None:
        """Put terms into the draft, and focus the first of them."""
        self._change_draft(lambda draft: draft.with_terms(offer))
        issue = next(issue.name for issue in self._host.game.issues if issue.name in offer)
        self._host.focus(f"{issue}.{offer.get(issue)}", issue, f"{issue}.{self._host.seat}.more")

    # Acts of the participant

    def _accept(self) -> None:
        self._confirmations.accept(self._current_view().accept)

    def _send_offer(self) -> None:
        if self._history is not None and self._history.draft.ready:
            offer = self._history.draft.offer
            self._confirmations.offer(offer, lambda: self._send(offer))

    def _send(self, offer: Offer) -> None:
        self._host.participant.send_offer(offer)
        self._host.poll_soon()

    def _send_offer_request(self, message: Message) -> None:
        """Send a request for an offer; the draft stays."""
        to = self._host.address()
        if self._host.participant.send_offer_request(message, to):
            self._host.on_said(message, to)

    def _on_text_sent(self, message: Message, to: Address) -> None:
        """Clear the message field after its text was sent."""
        self._host.on_said(message, to)
        self._host.clear_sent()

    def _decline(self) -> None:
        """Send a message that declines, to everyone as the offer; it stays on the table."""
        words = self._host.theme.translate("That doesn’t work for me as it stands.")
        self._host.say(Message(words, MessageSubtype.OFFER_REJECT), EVERYONE)

    def _open_counter(self) -> None:
        """Turn the newest offer's card into an editor that begins with its terms."""
        newest = self._host.updates.newest
        if newest is None or self._history is None or self._counter is None:
            return
        if self._counter.open(newest.view.state, self._history.draft):
            self._host.redraw()
            if self._card_seq:
                self._chat.transcript_view.scroll_to_offer(self._card_seq)
            self._host.announce("counter_open")

    def _cancel_counter(self) -> None:
        if self._counter is not None and self._counter.cancel():
            self._host.redraw()
            self._host.announce("counter_closed")

    def _scroll_to_offer(self, seq: int) -> None:
        """Scroll the chat to an offer."""
        self._compared.set_open(False)
        self._chat.transcript_view.scroll_to_offer(seq)
        self._host.announce("offer_seen", seq=seq)

    def _compare_offers(self, first: int, second: int) -> None:
        """Show two offers side by side, below the offer timeline."""
        newest = self._host.updates.newest
        if newest is None:
            return
        seqs = first, second
        view = self._presenter.comparison(newest.view.state, self._host.updates.now, seqs)
        if view is not None:
            self._compared.show(view)
            self._compared.set_open(True)
            self._host.announce("offers_compared", total=view.total.words)
