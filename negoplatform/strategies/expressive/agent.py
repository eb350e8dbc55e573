"""An agent that is made of four policies: offers, words, faces and behaviour."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import may_be_bound
from negoplatform.domain.offer import Offer
from negoplatform.language.parsing.interpretation import Act
from negoplatform.strategies.expressive.agent_state import Mind, Policies
from negoplatform.strategies.expressive.emotion_policy import FAIR
from negoplatform.strategies.expressive.free_text import answer_text
from negoplatform.strategies.expressive.speech_act_responses import answer, ask_favour, noted
from negoplatform.strategies.talk import is_asked

FACES_APART = 15.0
"""Seconds between two answers to faces, lest two agents make faces for ever."""

ONE_AT_A_TIME_MS = 3_000
"""So long it waits with what it wants to do while it answers something."""

COME_BACK_MS = 8_000
"""So long after talk it comes back to the offer that the talk came before."""

MOST_STUCK = 3
"""After so many answers that brought nothing new it waits for something new."""

BRING_NOTHING = (
    MessageSubtype.TIMING,
    MessageSubtype.TIMING_INFO,
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_REJECT,
)
"""What may be said into a silence without breaking it: prompts, and words that go with an offer."""

KIND_FOR_FACE = {
    Expression.HAPPY: "face_happy",
    Expression.SAD: "face_sad",
    Expression.SCARED: "face_sad",
    Expression.ANGRY: "face_angry",
    Expression.DISGUSTED: "face_angry",
    Expression.CONTEMPT: "face_angry",
    Expression.SURPRISED: "face_surprised",
}
"""What it says to a face."""


class ExpressiveAgent(NegotiationAgent):
    """Negotiates, talks and shows what it feels, as its four policies say.

    An agent of the IAGO family (Mell and Gratch): a subclass says in :meth:`policies` what it is made of.
    Its policies live as long as the agent does, so what they keep, such as a ledger of favours, lasts from
    one game to the next.
    """

    mind: Mind | None = None
    """What it knows in this game; None before its start."""

    _made: Policies | None = None

    def policies(self) -> Policies:
        """What it is made of; called once."""
        return Policies()

    def reset(self) -> None:
        """Forgets the last negotiation, but no favour."""
        self.mind = None
        self._quiet_until = 0.0

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - a handler
        """Greets; asks, or speaks of favours; opens if nobody else does."""
        mind = self._mind(ctx)
        opening = mind.policies.behaviour.opening(ctx.rng)
        return [
            *mind.show(mind.policies.faces.when_agreed()),
            *mind.say(ctx, "greeting", flushable=False),
            Schedule(1000 * opening / 2, self._begin_to_talk),
            Schedule(1000 * opening, self._open),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Accepts, completes, or says no and proposes something else."""
        mind, offer = self._heard(ctx), event.get_offer()
        mind.asked_to_wait = False
        news = mind.hear_offer(ctx, event.sender, offer)
        if self._takes(ctx):
            return self._accept(ctx)
        if not is_asked(ctx, event):
            return []
        if not may_be_bound(ctx.game, offer):
            return self._build_on(ctx, offer)
        return self._refuse(ctx, offer, news=news)

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """The other stands for the offer on the table: the agent's own, or one that it can live with."""
        mind = self._heard(ctx)
        own = ctx.current_offer_sender == ctx.seat and ctx.get_agent_utility() >= ctx.reservation_value
        if not (own and ctx.can_formally_accept()) and not self._takes(ctx):
            return []
        mind.accepted = ctx.current_offer_id
        return [FormalAccept()]

    def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action]:
        """An acceptance that came too late: perhaps the newer offer is as good."""
        return (
            [FormalAccept()] if event.payload.action == EventType.FORMAL_ACCEPT and self._takes(ctx) else []
        )

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answers what was said."""
        mind, said = self._heard(ctx), event.payload
        if mind.over:
            return []
        mind.asked_to_wait = False
        if said.subtype not in BRING_NOTHING:
            mind.prompts = 0
        if not is_asked(ctx, event):
            return []
        if said.subtype is MessageSubtype.GENERIC:
            words = answer_text(ctx, mind, event.sender)
        else:
            words = answer(ctx, mind, event.sender, Act(said.subtype, 1.0, said.preference, said.batna))
        waits = mind.opened if ctx.current_offer_sender is None else ctx.current_offer_sender != ctx.seat
        return [*words, Schedule(COME_BACK_MS, self._come_back, flushable=True)] if waits else words

    def on_send_expression(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answers a face with a face, and sometimes with words."""
        mind, shown = self._mind(ctx), event.get_expression()
        quiet = ctx.elapsed_time < mind.active_at or ctx.elapsed_time - mind.face_at < FACES_APART
        mind.note(ctx)
        if shown is None or quiet or mind.over or not is_asked(ctx, event):
            return []
        mind.face_at = ctx.elapsed_time
        face = mind.show(mind.policies.faces.to_face(shown))
        words = mind.say(ctx, KIND_FOR_FACE[shown]) if shown in KIND_FOR_FACE else []
        return [*face, *words]

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """Waits for the offer that the other is building."""
        self._heard(ctx).hear_draft(ctx)
        return []

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Prompts after silence, and hurries at the end."""
        if event.payload.elapsed < self._quiet_until:
            return []
        return self._tick(ctx)

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Says good-bye, and settles favours."""
        mind, deal = self._mind(ctx), event.get_offer()
        mind.over = True
        gain = mind.deals.gain(ctx.utility(deal)) if deal.terms else None
        mind.ledger.settle(gain, mind.policies.offers.demand)
        faces = mind.policies.faces
        face = mind.show(faces.when_agreed() if deal.terms else faces.without_deal())
        words = mind.say(ctx, "farewell_deal" if deal.terms else "farewell_no_deal", flushable=False)
        return [*face, *words]

    # Of its own accord

    def _begin_to_talk(self, ctx: AgentContext) -> list[Action]:
        mind = self._mind(ctx)
        if ctx.elapsed_time < mind.active_at:
            return [Schedule(ONE_AT_A_TIME_MS, self._begin_to_talk)]
        if mind.ledger.returns_one(mind.tables):
            return [*mind.say(ctx, "favor_return"), *noted(ctx, mind), *mind.propose(ctx, "introduce_offer")]
        if mind.ledger.wants_one(mind.tables):
            return ask_favour(ctx, mind)
        knows = ctx.opponent_preferences_visible or mind.heard or mind.told
        if mind.policies.behaviour.asks and not knows:
            return mind.say(ctx, "pref_request")
        return []

    def _open(self, ctx: AgentContext) -> list[Action]:
        mind = self._mind(ctx)
        if ctx.current_offer_sender is not None:
            return []
        if ctx.elapsed_time < mind.active_at or mind.waits_for_draft(ctx.elapsed_time):
            return [Schedule(ONE_AT_A_TIME_MS, self._open)]
        mind.opened = True
        return mind.propose(ctx, "introduce_offer")

    def _come_back(self, ctx: AgentContext) -> list[Action]:
        """After talk that came before an offer of its own, or between one of the other's and the answer."""
        mind = self._mind(ctx)
        if ctx.elapsed_time < mind.active_at:
            return [Schedule(ONE_AT_A_TIME_MS, self._come_back, flushable=True)]
        if ctx.current_offer_sender == ctx.seat or mind.stuck > MOST_STUCK or self._takes(ctx):
            return []
        if mind.waits_for_draft(ctx.elapsed_time):
            return []
        return mind.propose(ctx, "counter_offer" if ctx.current_offer_sender else "introduce_offer")

    def _tick(self, ctx: AgentContext) -> list[Action]:
        mind, now, left = self._mind(ctx), ctx.elapsed_time, ctx.remaining_time
        behaviour = mind.policies.behaviour
        if left is not None and left <= behaviour.hurry:
            return self._hurry(ctx) if left > 0 else []
        due = mind.active_at + behaviour.silence(mind.prompts, asked_to_wait=mind.asked_to_wait)
        if now >= due and not mind.waits_for_draft(now):
            mind.prompts += 1
            return self._prompt(ctx)
        late = float("inf") if left is None else now + left - behaviour.hurry
        self._quiet_until = min(max(due, now), late)
        return []

    def _prompt(self, ctx: AgentContext) -> list[Action]:
        mind = self._mind(ctx)
        if ctx.current_offer_sender != ctx.seat:
            return mind.propose(ctx, "introduce_offer", asked=True)
        if mind.liked == ctx.current_offer_id:
            return mind.remind(ctx, "offer_agreed")
        if mind.prompts > 1 and not may_be_bound(ctx.game, ctx.current_offer):
            return mind.propose(ctx, "introduce_offer")
        return mind.say(ctx, "idle_prompt_offer" if mind.prompts % 2 else "idle_prompt")

    def _hurry(self, ctx: AgentContext) -> list[Action]:
        """Shortly before the end: it takes what it can live with, or makes its final offer; if that is not
        taken either, it comes back to the best that the other has offered.
        """
        mind, left = self._mind(ctx), ctx.remaining_time or 0.0
        if self._takes(ctx) and ctx.current_offer_sender != ctx.seat:
            return self._accept(ctx)
        if mind.hurried > 1 or mind.waits_for_draft(ctx.elapsed_time):
            return []
        offers = mind.policies.offers
        if not mind.hurried:
            mind.hurried = 1
            return mind.propose(ctx, "hurry", offers.final(ctx, mind), asked=True)
        if left > mind.policies.behaviour.hurry / 2 or not mind.best_heard.terms:
            return []
        mind.hurried = 2
        taken = offers.accepts(ctx, mind, mind.best_heard)
        return mind.propose(ctx, "take_yours", mind.best_heard, asked=True) if taken else []

    # Answers to offers

    def _takes(self, ctx: AgentContext) -> bool:
        """Whether the offer on the table may be accepted, and is good enough."""
        mind = self._mind(ctx)
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.reservation_value:
            return False
        return ctx.current_offer_id != mind.accepted and mind.policies.offers.accepts(
            ctx, mind, ctx.current_offer
        )

    def _accept(self, ctx: AgentContext) -> list[Action]:
        mind = self._mind(ctx)
        mind.accepted = ctx.current_offer_id
        face = mind.show(mind.policies.faces.when_agreed())
        return [*face, *mind.say(ctx, "accept_offer"), FormalAccept()]

    def _build_on(self, ctx: AgentContext, part: Offer) -> list[Action]:
        """An answer to a partial offer."""
        mind = self._mind(ctx)
        whole = mind.policies.offers.completion(ctx, mind, part)
        if whole is None:
            mind.policies.offers.give_way(0.5)
            return mind.propose(ctx, "counter_offer")
        return mind.propose(ctx, "complete_offer", whole)

    def _refuse(self, ctx: AgentContext, offer: Offer, *, news: bool) -> list[Action]:
        """A no to a whole offer, with a proposal."""
        mind = self._mind(ctx)
        offers, before = mind.policies.offers, mind.policies.offers.demand
        wanted = mind.deals.gain(offers.wanted(ctx, mind))
        fairness = mind.deals.gain(ctx.utility(offer)) / wanted if wanted else 1.0
        offers.give_way()
        mind.stuck = 0 if news or offers.demand < before else mind.stuck + 1
        if self._takes(ctx):
            return self._accept(ctx)
        if mind.stuck > MOST_STUCK:
            return []
        no = mind.say(ctx, "reject_offer") if mind.heard % 2 and fairness < FAIR else []
        face = mind.show(mind.policies.faces.to_offer(fairness))
        return [*face, *no, *mind.propose(ctx, "counter_offer")]

    def _heard(self, ctx: AgentContext) -> Mind:
        """The mind, after somebody has done something."""
        self._quiet_until = 0.0
        mind = self._mind(ctx)
        mind.note(ctx)
        return mind

    def _mind(self, ctx: AgentContext) -> Mind:
        if self.mind is None:
            self._made = self._made or self.policies()
            self.mind = Mind(ctx, self._made)
        return self.mind
