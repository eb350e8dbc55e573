"""Dialogue of one game: what an agent says, in the words of its persona, and what it remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from negoplatform.agent_api.actions import Action, SendMessage, SendOffer
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.domain.game_display_texts import spoken_name
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation import Words, called, offer_in_words, title_in_words
from negoplatform.strategies.dialogue.conversation_memory import ConversationMemory
from negoplatform.strategies.dialogue.manner import Honesty, Manner
from negoplatform.strategies.dialogue.offer_changes import called_names, terms_in_words
from negoplatform.strategies.dialogue.opponent_model import LevelTables, issue_importance, own_tables
from negoplatform.strategies.dialogue.sentences import Sentences
from negoplatform.strategies.dialogue.speech_acts import subtype_of

Script = list[Action]


def makes_offer(script: Script) -> bool:
    """Return whether a script contains an offer."""
    return any(isinstance(step, SendOffer) for step in script)


class Dialogue:
    """Sentences, reasons and memory of an agent in one game.

    Args:
        ctx: The context at its start.
        manner: The manner of speaking.
        worth_to_others: Returns the estimated utility of an offer for the others, 0 to 1; without it, what
            costs the agent something is taken for a step towards them.
        flushable: Whether its messages are dropped, while they wait, when another seat acts.
    """

    def __init__(
        self,
        ctx: AgentContext,
        manner: Manner,
        *,
        worth_to_others: Callable[[Offer], float] | None = None,
        flushable: bool = True,
    ) -> None:
        self._flushable = flushable
        self.manner = manner
        self.memory = ConversationMemory()
        self.points: LevelTables = own_tables(ctx)
        """The agent's own points by issue and level."""
        importance = issue_importance(ctx, self.points)
        self._importance = sorted(importance, key=lambda name: -importance[name])
        self.worth_to_others = worth_to_others
        several = len(ctx.game.seats) > 2
        names = [spoken_name(ctx.game, seat) for seat in ctx.game.others(ctx.seat)] if several else []
        self.sentences = Sentences(Words(manner.language, manner.voice, several=several), names)
        self._spoken_to: tuple[Seat, tuple[Seat, ...]] | None = None
        self.turns_to_another: set[str] = set()
        """Messages of a script that address another seat than the message before them."""
        self._recipients: dict[str, tuple[Seat, tuple[Seat, ...]]] = {}
        self._background = list(ctx.briefing.background)
        self._offered_terms = EMPTY_OFFER
        self._own_offer_id: int | None = None

    def offered_terms(self, ctx: AgentContext) -> Offer:
        """Return the latest terms that the agent has offered itself, not accepted, issue by issue."""
        if ctx.own_offer_id != self._own_offer_id:
            known = -1 if self._own_offer_id is None else self._own_offer_id
            for entry in ctx.get_offer_history():
                if entry["sender"] == ctx.seat and entry["offer_id"] > known:
                    self._offered_terms = self._offered_terms.with_terms_of(entry["offer"])
            self._own_offer_id = ctx.own_offer_id
        return self._offered_terms

    # Whom it speaks to, where there are more than two seats

    @contextmanager
    def speaking_to(self, seat: Seat | None, private: tuple[Seat, ...] = ()) -> Iterator[None]:
        """Address the messages made within to a seat; None: to everyone.

        Args:
            seat: The seat, which is called by its name.
            private: The seats for which alone the messages are; empty: everyone reads them.
        """
        before, self._spoken_to = self._spoken_to, None if seat is None else (seat, private)
        try:
            yield
        finally:
            self._spoken_to = before

    def with_recipients(self, ctx: AgentContext, script: Script) -> Script:
        """Return a script whose messages name the seats that they address, or are sent to them alone.

        With two seats nothing changes. The words of an offer are for everyone, as the offer is; so are those
        after the end.
        """
        if len(ctx.game.seats) == 2:
            return script
        last: Seat | None = None
        found: Script = []
        for action in script:
            if isinstance(action, SendMessage) and action.text in self._recipients:
                seat, private = self._recipients[action.text]
                if private and action.subtype is not MessageSubtype.OFFER_PROPOSE:
                    action = replace(action, to=private)
                elif seat != last:
                    action = replace(action, text=self._called(ctx, seat, action.text))
                    self.turns_to_another |= {action.text} if last is not None else set()
                last = None if private else seat
            found.append(action)
        return found

    @property
    def listener(self) -> Seat | None:
        """Seat to which it speaks at present; None: to everyone."""
        return None if self._spoken_to is None else self._spoken_to[0]

    def _called(self, ctx: AgentContext, seat: Seat, text: str) -> str:
        return called(spoken_name(ctx.game, seat), text, self.manner.language, self.manner.voice)

    # Messages

    def say(self, ctx: AgentContext, kind: str, /, **slots: object) -> Script:
        """Return a message of a kind; nothing if all that it could say was said before.

        Args:
            ctx: The context.
            kind: The kind of message.
            slots: The slots of the templates.
        """
        return self.message(ctx, kind, slots)

    def say_acceptance_missing(self, ctx: AgentContext) -> Script:
        """Return a reminder that it has accepted, and that the listener or several others have not."""
        missing = ctx.game.acceptances_needed - len({*ctx.accepted_by, ctx.seat})
        return self.say(ctx, "several_missing" if missing > 1 else "yours_missing")

    def message(
        self,
        ctx: AgentContext,
        kind: str,
        slots: Mapping[str, object] | None = None,
        *,
        subtype: MessageSubtype | None = None,
        preference: Preference | None = None,
        batna: float | None = None,
        flushable: bool | None = None,
    ) -> Script:
        """Return a message of a kind with further attributes; nothing if all was said before.

        Args:
            ctx: The context.
            kind: The kind of message.
            slots: The slots of the templates.
            subtype: The speech act; that of the kind unless given.
            preference: The preference that the message states or asks about.
            batna: The stated value of no deal.
            flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits; as the
                dialogue's messages are unless given.
        """
        text = self.sentences.draw(kind, ctx.rng, **(slots or {}))
        if text is None:
            return []
        if self._spoken_to is not None:
            self._recipients[text] = self._spoken_to
        act = subtype or subtype_of(kind)
        may_drop = self._flushable if flushable is None else flushable
        return [SendMessage(text, act, preference=preference, batna=batna, flushable=may_drop)]

    def first_of(self, ctx: AgentContext, *kinds: str, **slots: object) -> Script:
        """Return a message of the first of some kinds of which something is left to say."""
        return next((script for kind in kinds if (script := self.say(ctx, kind, **slots))), [])

    def happens(self, ctx: AgentContext, share: float) -> bool:
        """Return whether it says something that is not needed: a share of the times, by its talkativeness."""
        return ctx.rng.random() < share * 2 * self.manner.talkativeness

    # Phrases

    def title(self, ctx: AgentContext, issue: str) -> str:
        """Return the name of an issue within a sentence."""
        return title_in_words(ctx.game.issue(issue), self.manner.language)

    def terms(self, ctx: AgentContext, terms: Mapping[str, Term], *, to: Seat | None = None) -> str:
        """Return terms as a noun phrase; see :func:`.offer_changes.terms_in_words`."""
        return terms_in_words(ctx, terms, self.manner.language, to=to, spoken_to=self.listener)

    def offer_text(self, ctx: AgentContext, offer: Offer) -> str:
        """Return an offer as a noun phrase: with more than two seats, with the shares of all of them."""
        if len(ctx.game.seats) == 2:
            return self.terms(ctx, dict(offer.terms))
        names = called_names(ctx, self.manner.language, self.listener)
        return offer_in_words(offer, ctx.game, ctx.seat, language=self.manner.language, names=names)

    def preference_slots(self, ctx: AgentContext, preference: Preference) -> dict[str, str]:
        """Return the slots of a message about a preference."""
        first = self.title(ctx, preference.issue1)
        if preference.issue2 is None:
            return {"issue": first}
        second = self.title(ctx, preference.issue2)
        swapped = preference.relation is Relation.LESS
        return {"first": second, "second": first} if swapped else {"first": first, "second": second}

    def accept_words(self, ctx: AgentContext) -> Script:
        """Return the words that go with the acceptance of the offer on the table."""
        kinds = ["accept_declined"] if ctx.current_offer in self.memory.declined else []
        return self.first_of(ctx, *kinds, "accept_offer")

    def consider(self, ctx: AgentContext, part: Offer) -> Script:
        """Return the words about terms of another seat that are possible and depend on the rest."""
        self.memory.considered.append(part)
        return self.first_of(ctx, "send_as_offer_open", "ask_rest", offer=self.offer_text(ctx, part))

    # Reasons

    def importance(self) -> list[str]:
        """Return the issues by what they can change for the agent, the most important first."""
        return list(self._importance)

    def is_important(self, issue: str) -> bool:
        """Return whether an issue is in the more important half of the issues."""
        order = self.importance()
        return 2 * order.index(issue) < len(order)

    def new_reason(self, ctx: AgentContext, issue: str, term: Term | None = None) -> str | None:
        """Return a reason of the game's file that was not given yet; None if there is none left."""
        if self.manner.honesty is not Honesty.HONEST:
            return None
        found = ctx.briefing.reasons_for(issue, term, ctx.seat)
        return next((reason for reason in found if not self.sentences.contains(reason)), None)

    def give_reason(self, ctx: AgentContext, issue: str, term: Term | None = None) -> Script:
        """Return a reason unasked, now and then; nothing if there is none left.

        The reasons for an issue that is of little importance say why it matters little: they would not
        support what the agent asks for.
        """
        if not self.happens(ctx, 0.5) or not self.is_important(issue):
            return []
        reason = self.new_reason(ctx, issue, term)
        if reason is not None:
            return self.say(ctx, "reason", why=reason)
        first = issue == self.importance()[0] and self.manner.honesty is Honesty.HONEST
        return self.say(ctx, "priority", issue=self.title(ctx, issue)) if first else []

    def new_background(self) -> str | None:
        """Return a fact about the person in its seat that was not told yet; None if there is none left."""
        while self._background:
            fact = self._background.pop(0)
            if not self.sentences.contains(fact):
                return fact
        return None


def message_text(script: list[Action]) -> str:
    """Return the text of the first message of a script; empty without one."""
    return next((action.text for action in script if isinstance(action, SendMessage)), "")
