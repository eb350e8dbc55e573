"""How the agents of this family take part in a talk: when they answer, what to, and how a deal is signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from negoplatform.agent_api.actions import (
    Schedule,
    SendExpression,
    ShowTyping,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.conversational_agent import Script
from negoplatform.strategies.negochat.decision_hooks import Decisions
from negoplatform.strategies.negochat.message_builder import Speech
from negoplatform.strategies.negochat.negotiation_model import Choices, Equipment, equip
from negoplatform.strategies.negochat.opponent_intent import ANSWERS, COURTESIES, Heard, Wish, hear
from negoplatform.strategies.negochat.response_timing import PACE, PACES, Tempo, unsteady
from negoplatform.strategies.talk import is_asked

HURRY_SECONDS = 30
"""So long before the end it says that time is short."""

TURN_PAUSE = 3.0
"""It acts up to so many seconds after a new turn has begun."""

TAKEN_UP = 3
"""So often it answers one and the same offer in a turn; the last times in words alone."""

CHATS = 3
"""So often in a row it answers courtesies; two that are both polite would never end."""

FACE_SECONDS = 10
"""After an answer to a face it answers no other for so long."""

FEELINGS = {
    Expression.HAPPY: ("face_happy", Expression.HAPPY),
    Expression.SAD: ("face_sad", Expression.SAD),
    Expression.ANGRY: ("face_angry", Expression.SURPRISED),
    Expression.SURPRISED: ("face_surprised", Expression.NEUTRAL),
}

M = MessageSubtype


class Paced(Decisions):
    """Answers after a while, and once for all that came meanwhile; prompts in silence, hurries at the end.

    An offer goes before words. A subclass says what it does about each. Its settings hold the fields of
    ``Choices``, and ``reply_seconds``, ``follow_pace``, ``silence_seconds``, ``later_silence_seconds``,
    ``reminders``, ``language``, ``style`` and ``quiet``.
    """

    opening_seconds: float = 4.0
    hurried = False
    """Whether it has said that time is short."""

    def reset(self) -> None:
        """Forgets the last negotiation."""
        super().reset()
        self._offers: list[Offer] = []
        self._words: Heard | None = None
        self._due = False
        self._open = False
        self.hurried = False
        self._over = False
        self._turn = 1
        self._faces_from = 0.0
        self._heard: Counter[Offer] = Counter()
        self._stood: object = None
        self._chatted = 0

    # Events

    def check_game(self, game: GameSpec) -> None:
        """Whether its tables, types and shares fit the game.

        Raises:
            AgentError: If they do not.
        """
        others = game.others(self.agent_id)
        seen = [game.preferences[other].utility for other in others if other in game.preferences]
        self._equipped(game, self.agent_id, Random(0), seen[0] if len(others) == 1 and seen else None)

    def on_game_start(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - as every handler
        """Looks at the game, greets, and opens a little later."""
        settings = self.settings
        two = len(ctx.game.seats) == 2
        seen = ctx.get_opponent_utility if two and ctx.opponent_preferences_visible else None
        self.kit: Equipment = self._equipped(ctx.game, ctx.seat, ctx.rng, seen)
        self._speech = Speech(settings.language, settings.style, quiet=settings.quiet)
        pace = PACES.get(settings.culture, PACE)
        self._tempo = Tempo(
            settings.reply_seconds,
            settings.silence_seconds,
            settings.follow_pace,
            settings.later_silence_seconds,
            settings.reminders,
            pace,
        )
        self.begin(ctx)
        return [
            *self.tell_belief(ctx, equipment=self.kit.told),
            *self.face(Expression.HAPPY),
            *self.say(ctx, "greeting", M.GREETING),
            Schedule(1000 * unsteady(self.opening_seconds, ctx.rng), self._open_now),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> Script:
        """An offer: answered a little later."""
        self._tempo.other_acted(ctx.elapsed_time)
        self._tempo.prompts = 0
        if not is_asked(ctx, event):
            return []
        self._offers.append(event.get_offer())
        return self._answer_later(ctx)

    def on_send_message(self, ctx: AgentContext, event: Event) -> Script:
        """Words: the weightiest of those that came are answered, the newest among equals."""
        self._tempo.other_acted(ctx.elapsed_time)
        if not is_asked(ctx, event):
            return []
        reading = ctx.reading
        assert reading is not None  # something was said just now
        heard = hear(reading, self.own_terms(ctx))
        answered = heard.subtype is M.TIMING and self._tempo.prompts > 0
        if heard.subtype is M.TIMING_INFO:
            self._tempo.asked_to_wait()
        if heard.wish is Wish.NOTHING or answered:
            return []  # it has just said itself that it waits
        if heard.wish >= Wish.IN_WORDS:
            self._tempo.prompts = 0
        if self._words is None or heard.wish >= self._words.wish:
            self._words = heard
        return self._answer_later(ctx)

    def on_send_expression(self, ctx: AgentContext, event: Event) -> Script:
        """A face: answered with one, and with words if it has not just done so."""
        self._tempo.other_acted(ctx.elapsed_time)
        shown = FEELINGS.get(event.payload.expression)
        if shown is None or self._over or self.settings.quiet or not is_asked(ctx, event):
            return []
        if ctx.elapsed_time < self._faces_from or self._due:
            return []
        self._faces_from = ctx.elapsed_time + FACE_SECONDS
        kind, face = shown
        return [SendExpression(face, delay_ms=500), *self.say(ctx, kind, M.GENERIC_POS)]

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - as every handler
        """The other builds an offer: that is no silence."""
        self._tempo.not_silent(ctx.elapsed_time)
        return []

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - as every handler
        """The other stands for what is on the table: its own proposal is confirmed, another looked at."""
        self._tempo.other_acted(ctx.elapsed_time)
        return self.bind(ctx) if self._may_accept(ctx) else []

    def on_action_refused(self, ctx: AgentContext, event: Event) -> Script:
        """An accept that came too late: perhaps what is there now is as good."""
        late = event.payload.action == EventType.FORMAL_ACCEPT
        return self.bind(ctx) if late and self._may_accept(ctx) else []

    def on_time(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - as every handler
        """Turns, silence, and the end of the time."""
        if ctx.remaining_time == 0:
            return []
        if ctx.remaining_time is not None and ctx.remaining_time <= HURRY_SECONDS and not self.hurried:
            self.hurried = True
            self._enter(ctx)
            return self._hurry(ctx)
        if self._enter(ctx) and not self._due and self._open:
            # Not at once: two that act on the same tick would overtake each other.
            return [Schedule(1000 * ctx.rng.uniform(0, TURN_PAUSE), self._take_turn)]
        if self._open and not self._due and self._tempo.is_prompting(ctx.elapsed_time):
            self._tempo.prompts += 1
            if self.stands_for(ctx):
                return self._did(ctx, self.remind(ctx))
            words = self.repeat(ctx, "repeat_in_silence", M.TIMING) or self.say(ctx, "idle_prompt", M.TIMING)
            return self._did(ctx, words)
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> Script:
        """Says good-bye."""
        self._over = True
        deal = bool(event.get_offer())
        words = self.say(ctx, "farewell_deal" if deal else "farewell_no_deal", M.FAREWELL)
        face = SendExpression(Expression.HAPPY if deal else Expression.SAD)
        return [face, *words] if words else []

    # Answering

    def _take_turn(self, ctx: AgentContext) -> Script:
        """A new turn: what the other has offered is looked at again, or its own proposal thought over."""
        if self._due or ctx.remaining_time == 0 or self.stands_for(ctx):
            return []
        self._enter(ctx)
        other_waits = ctx.current_offer_sender not in (None, ctx.seat)
        if other_waits:
            return self._did(ctx, self._answer_offer(ctx, ctx.current_offer))
        return self._did(ctx, self._take_up(ctx) or self.turn_comes(ctx))

    def _take_up(self, ctx: AgentContext) -> Script:
        """The other's last whole, if it is good enough by now and the agent's proposal has replaced it."""
        others = ctx.game.others(ctx.seat)
        last = ctx.get_last_offer(others[0]) if len(others) == 1 else None
        if last is None or not last["complete"] or ctx.utility(last["offer"]) < ctx.reservation_value:
            return []
        bid = self.as_bid(last["offer"])
        return self.sign(ctx, bid, "accept_offer") if self.judge(ctx, bid) else []

    def _answer_later(self, ctx: AgentContext) -> Script:
        if self._due or self._over:
            return []
        self._due = True
        pause = 1000 * self._tempo.pause(ctx.remaining_time, ctx.rng)
        typing: Script = [] if self.settings.quiet else [ShowTyping(max(1, round(pause)))]
        return [*typing, Schedule(pause, self._answer)]

    def _answer(self, ctx: AgentContext) -> Script:
        """One answer to all that was heard: to the last offer, or without one to the weightiest words."""
        offers, words = self._offers, self._words
        self._due, self._offers, self._words = False, [], None
        if ctx.remaining_time == 0:
            return []
        self._enter(ctx)
        if offers:
            self._open, self._chatted = True, 0
            return self._did(ctx, self._answer_offer(ctx, offers[-1]))
        if words is None:
            return []
        script = [] if self._is_mere_chat(words) else self._answer_words(ctx, words)
        if not script:
            self._tempo.left_unanswered()
        return self._did(ctx, script)

    def _answer_offer(self, ctx: AgentContext, offer: Offer) -> Script:
        if self.stand() != self._stood:
            self._heard.clear()
        again = self._heard[offer]
        self._heard[offer] += 1
        script = self._look_at(ctx, offer, again)
        self._stood = self.stand()
        return script

    def _look_at(self, ctx: AgentContext, offer: Offer, again: int) -> Script:
        on_table = ctx.current_offer_sender != ctx.seat and ctx.current_offer == offer
        may_be_bound = on_table and ctx.can_formally_accept() and ctx.utility(offer) >= ctx.reservation_value
        if not ctx.game.is_complete(offer):
            if may_be_bound and self.is_enough(ctx):
                return self.accept(ctx)
            asked = self.kit.space.terms(offer)
            if self.has_agreed(asked):
                return self.answer_settled(ctx, asked) if again < TAKEN_UP else []
            return self._say_again(ctx, again) if again else self.answer_part(ctx, asked)
        bid = self.as_bid(offer)
        if may_be_bound and self.is_agreed(bid):
            return self.accept(ctx)
        good, learned = self.judge(ctx, bid), self.tell_belief(ctx)
        if good and may_be_bound:
            return [*learned, *self.accept(ctx)]
        if again:
            return self._say_again(ctx, again)
        return [*learned, *self.answer_full(ctx, bid)]

    def _say_again(self, ctx: AgentContext, times: int) -> Script:
        """The same offer while it stands for the same gets the same answer, and after some times none."""
        stands = self.stand_in_words(ctx)
        kind = self.same_again if stands else "reject_offer"
        return self.say(ctx, kind, M.OFFER_REJECT, terms=stands) if times < TAKEN_UP else []

    def _answer_words(self, ctx: AgentContext, heard: Heard) -> Script:
        match heard.wish:
            case Wish.YES if any(not self.stands_by(ctx, offer) for offer in heard.offers[:1]):
                return self.ask_for_the_offer(ctx, heard)  # "yes, but": what comes after it is no yes
            case Wish.YES:
                return self._answer_a_yes(ctx, heard)
            case Wish.HALF_YES:
                return self.say(ctx, "ask_whether_yes", M.CLARIFICATION)
            case Wish.NO:
                return self.answer_no(ctx)
            case Wish.COMPROMISE:
                return self.answer_compromise(ctx, self._issues(heard))
            case Wish.IN_WORDS:
                return self.ask_for_the_offer(ctx, heard)
            case Wish.QUERY:
                return self.answer_query(ctx, self._issues(heard), least=heard.least)
            case Wish.PROPOSAL:
                return self._open_now(ctx) or self.repeat(ctx, "repeat_asked", M.CLARIFICATION)
            case Wish.MEANING:
                return self.explain(ctx)
            case Wish.TIME:
                return self.tell_time(ctx)
            case _ if heard.subtype is M.GREETING:
                # Before it opens, the opening is the answer.
                return self.say(ctx, "greeting_back", M.GREETING) if self._open else []
            case _:
                kind = ANSWERS.get(heard.subtype, "ask_for_offer")
                told = self.say(ctx, kind, M.CONFIRMATION)
                return told or self.say(ctx, "ask_what_to_change", M.CONFIRMATION)

    def _answer_a_yes(self, ctx: AgentContext, heard: Heard) -> Script:
        """A yes counts for what stood when it was said: whether it is meant for what came since is asked."""
        if self.stands_for(ctx):
            return self.remind(ctx)
        if not self._open:
            return self._open_now(ctx)  # a yes to nothing
        if heard.to != self.own_terms(ctx):
            return self.say(ctx, "ask_whether_yes", M.CLARIFICATION)
        if self.own_complete(ctx):
            self.agreed_in_words(ctx)
            return [*self.say(ctx, "offer_agreed", M.CONFIRMATION), *self.bind(ctx, told=True)]
        return self.answer_yes(ctx)

    def _issues(self, heard: Heard) -> list[int]:
        return [self.kit.space.issue(name) for name in heard.about]

    def _equipped(
        self, game: GameSpec, seat: Seat, rng: Random, seen: Callable[[Offer], Points] | None
    ) -> Equipment:
        """What it needs for a game, as its settings want it; ``seen``: what the other is seen to get."""
        settings = self.settings
        choices = Choices(
            tables=settings.tables,
            thresholds=settings.thresholds,
            types=settings.types,
            use_visible=settings.use_visible,
            turn_seconds=settings.turn_seconds,
            culture=settings.culture,
            prior=settings.prior,
            precision=settings.precision,
        )
        return equip(game, seat, choices, rng, seen)

    def _is_mere_chat(self, heard: Heard) -> bool:
        """Whether words are a mere courtesy, and it has answered enough of these in a row."""
        is_polite = heard.wish is Wish.TALK and heard.subtype in COURTESIES
        self._chatted = self._chatted + 1 if is_polite else 0
        return self._chatted > CHATS

    def _open_now(self, ctx: AgentContext) -> Script:
        if self._open or (self._due and self._offers) or ctx.remaining_time == 0:
            return []
        self._open = True
        self._enter(ctx)
        return self._did(ctx, self.opening(ctx))

    def _hurry(self, ctx: AgentContext) -> Script:
        """Time is short: its best proposal, complete, because nothing less can be a deal any more."""
        self._open = True
        if self.stands_for(ctx):
            return self._did(ctx, self.remind(ctx))
        proposal = self.last_proposal(ctx)
        if proposal is None:
            return self._did(ctx, self.say(ctx, "no_deal_here", M.TIMING_INFO))
        return self._did(ctx, [*self.say(ctx, "hurry", M.TIMING_INFO), *self.offer(ctx, proposal)])

    def _may_accept(self, ctx: AgentContext) -> bool:
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.reservation_value:
            return False
        self._enter(ctx)
        if ctx.current_offer_sender == ctx.seat:
            return self.own_complete(ctx)
        agreed = ctx.game.is_complete(ctx.current_offer) and self.is_agreed(self.as_bid(ctx.current_offer))
        return agreed or self.is_enough(ctx)

    def _enter(self, ctx: AgentContext) -> bool:
        """Goes on to the turn of this moment; whether it is a new one."""
        turn = self.kit.turn(ctx.elapsed_time)
        new, self._turn = turn != self._turn, turn
        if new:
            self._heard.clear()
            self.new_turn()
        self.at_turn(turn)
        return new

    def _did(self, ctx: AgentContext, script: Script) -> Script:
        if script:
            self._tempo.acted(ctx.elapsed_time, ctx.rng)
        return script
