"""Agent composed of four policies: offers, words, faces and behaviour."""

from __future__ import annotations

from negoplatform.agent_api.actions import FormalAccept, Schedule, SendOffer
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language import DialogueAct, Topic
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script
from negoplatform.strategies.dialogue.disclosures import PlainWords
from negoplatform.strategies.dialogue.message_answers import (
    PREFERENCE_QUESTIONS,
    ask_about_contradiction,
    listeners,
    side_answers,
)
from negoplatform.strategies.dialogue.offer_wording import Reply, takes_back
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.dialogue.talking_agent import Inbox, TalkingAgent, answer_inbox
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, Policies
from negoplatform.strategies.expressive.favour_answers import answer_favour, begin_with_favour
from negoplatform.strategies.expressive.favour_ledger import FavourPolicy

BUSY_RETRY_MS = 3_000
"""Milliseconds for which a new activity waits while an answer is under way."""

RESUME_OFFERS_MS = 8_000
"""Milliseconds after small talk until it resumes the interrupted offers."""

MAX_SEATS_ASKED = 4
"""Seats up to which it begins with a question to all."""

MAX_STALLED_TURNS = 3
"""Answers without any news after which it waits for news."""

SILENCE_KEEPING_SUBTYPES = (
    MessageSubtype.TIMING,
    MessageSubtype.TIMING_INFO,
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_REJECT,
)
"""Speech acts that do not break a silence: prompts, and messages that go with an offer."""


class ExpressiveAgent(TalkingAgent):
    """Agent that negotiates, talks and shows emotions as its four policies decide.

    An agent of the IAGO family (Mell and Gratch): a subclass composes its policies in :meth:`policies`.
    The policies live as long as the agent does, so their data, such as a ledger of favours, lasts from one
    game to the next.
    """

    state: ExpressiveAgentState | None = None
    """State in this game; None before its start."""

    keeps_judgement = True
    """Whether an offer that it would accept now is accepted when it is sent."""

    _policies: Policies | None = None

    def policies(self) -> Policies:
        """Return the agent's policies; called once."""
        return Policies()

    def reset(self) -> None:
        """Reset the state of the last negotiation, but keep the favours."""
        super().reset()
        self.state = None
        self._quiet_until = 0.0

    @property
    def dialogue(self) -> Dialogue:  # type: ignore[override]  # the state of the game holds it
        """Dialogue of this game."""
        assert self.state is not None  # an event has created it
        return self.state.dialogue

    @property
    def statements(self) -> PlainWords:
        """Policy of what it states about itself."""
        assert self.state is not None
        return self.state.policies.words

    def handle_event(self, ctx: AgentContext, event: Event) -> Script:
        """Call an event's handler, with a state for this game."""
        self._get_state(ctx)
        return super().handle_event(ctx, event)

    # Events

    def on_game_start(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - a handler
        """Greet; ask, or speak of favours; open if no other seat does."""
        state = self._get_state(ctx)
        opening = state.policies.behaviour.opening(ctx.rng)
        greeting = state.dialogue.say(ctx, "greeting")
        return [
            *self.speak(ctx, [*state.show(state.policies.faces.when_agreed()), *greeting], at_once=True),
            Schedule(1000 * opening / 2, self._start_conversation),
            Schedule(1000 * opening, self._open),
        ]

    def hear_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Learn from an offer."""
        state = self._get_state(ctx)
        state.wait_requested = False
        state.record_offer(ctx, sender, offer)

    def on_send_message(self, ctx: AgentContext, event: Event) -> Script:
        """Read a message, which is answered a little later."""
        state = self._get_state(ctx)
        state.wait_requested = False
        state.prompted_by_other = event.payload.subtype is MessageSubtype.TIMING
        state.question_heard |= event.payload.subtype in PREFERENCE_QUESTIONS
        if event.payload.subtype not in SILENCE_KEEPING_SUBTYPES:
            state.prompts = 0
        return super().on_send_message(ctx, event)

    def answer_formal_accept(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002
        """Accept the same offer: the agent's own, or one that it can accept."""
        state = self._get_state(ctx)
        own = ctx.current_offer_sender == ctx.seat and ctx.get_agent_utility() >= ctx.least_points
        if not (own and ctx.can_formally_accept()) and not self._is_acceptable(ctx):
            # A mandate may have come after its offer: the other would wait for it for ever.
            withdrawn = ctx.current_offer_sender == ctx.seat and not own
            return state.propose(ctx) if withdrawn else []
        if not self._may_accept(ctx):
            return []
        state.accepted_offer_id = ctx.current_offer_id
        self.order.record_acceptance(ctx)
        return [FormalAccept()]

    def on_instruction(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002
        """Follow the reservation value of a mandate from now on."""
        self._get_state(ctx).follow_limit(ctx)
        return []

    def on_action_refused(self, ctx: AgentContext, event: Event) -> Script:
        """Answer a refusal of an acceptance that came too late: perhaps the newer offer is as good."""
        late = event.payload.action == EventType.FORMAL_ACCEPT
        return [FormalAccept()] if late and self._is_acceptable(ctx) else []

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> None:  # noqa: ARG002
        """Wait for the offer that the other is building."""
        self.record_activity(ctx)
        self._get_state(ctx).record_draft(ctx)

    def on_typing(self, ctx: AgentContext, event: Event) -> None:
        """Note that another seat types, which is no silence."""
        super().on_typing(ctx, event)
        self.record_activity(ctx)

    def on_time(self, ctx: AgentContext, event: Event) -> Script:
        """Prompt after silence, and hurry at the end."""
        if looks := self.look_at_table(ctx):
            return looks
        if event.payload.elapsed < self._quiet_until:
            return []
        return self.speak(ctx, self._tick(ctx), at_once=True)

    def on_game_end(self, ctx: AgentContext, event: Event) -> Script:
        """Say goodbye, and settle favours."""
        # A deal of others only is none of its own, even where it is bound by it.
        state = self._get_state(ctx)
        deal = event.get_offer() if event.payload.is_signed_by(ctx.seat) else EMPTY_OFFER
        self.is_over = True
        gain = state.deals.gain(ctx.utility(deal)) if deal.terms else None
        state.ledger.close_round(gain, state.policies.offers.usual_demand)
        faces = state.policies.faces
        face = state.show(faces.when_agreed() if deal.terms else faces.without_deal())
        kind = "farewell_deal" if deal.terms else "farewell_no_deal"
        return self.speak(ctx, [*face, *state.dialogue.message(ctx, kind, flushable=False)])

    def undo(self, ctx: AgentContext, dropped: Script) -> None:
        """Forget an acceptance, or a final offer, that was dropped."""
        state = self._get_state(ctx)
        if any(isinstance(action, FormalAccept) for action in dropped):
            state.accepted_offer_id = None
            self.order.forget_acceptance()
        sent = [action.offer for action in dropped if isinstance(action, SendOffer)]
        if state.final_offer in sent:
            state.final_proposals -= 1
            state.final_offer = None

    def record_activity(self, ctx: AgentContext) -> None:
        """Record an action of another seat."""
        self._quiet_until = 0.0
        self._get_state(ctx).record_activity(ctx)

    def speak(
        self, ctx: AgentContext, script: Script, inbox: Inbox | None = None, *, at_once: bool = False
    ) -> Script:
        """Return a script at the pace of typing; a silence begins when it ends."""
        timed = super().speak(ctx, script, inbox, at_once=at_once)
        if timed and self._outgoing is not None:
            state = self._get_state(ctx)
            state.last_activity = max(state.last_activity, self._outgoing.until)
        return timed

    def show_face(self, ctx: AgentContext, shown: Expression) -> Expression | None:
        """Return the face that answers the other's face."""
        return self._get_state(ctx).policies.faces.to_face(shown)

    # Initiative

    def _start_conversation(self, ctx: AgentContext) -> Script:
        state = self._get_state(ctx)
        if self.is_speaking(ctx):
            return [Schedule(BUSY_RETRY_MS, self._start_conversation)]
        favour = begin_with_favour(self, state, ctx)
        if favour is not None:
            return self.speak(ctx, favour)
        # At a large table the answers of all would be a flood, and one question is enough for everyone.
        has_information = (
            ctx.opponent_preferences_visible
            or state.offers_received
            or state.preferences_received
            or (state.question_heard and len(ctx.game.seats) > 2)
            or len(ctx.game.seats) > MAX_SEATS_ASKED
        )
        if state.policies.behaviour.asks and not has_information:
            return self.speak(ctx, state.dialogue.say(ctx, "pref_request"))
        return []

    def _open(self, ctx: AgentContext) -> Script:
        state = self._get_state(ctx)
        if ctx.current_offer_sender is not None or not ctx.may_move():
            return []
        if self.is_speaking(ctx) or state.is_draft_pending(ctx.elapsed_time):
            return [Schedule(BUSY_RETRY_MS, self._open)]
        state.opening_due = True
        return self.speak(ctx, state.propose(ctx))

    def _resume_offers(self, ctx: AgentContext) -> Script:
        """Resume offers that small talk interrupted: its own offer, or the answer to one of the other's."""
        state = self._get_state(ctx)
        if self.is_speaking(ctx):
            return [Schedule(BUSY_RETRY_MS, self._resume_offers, flushable=True)]
        if (
            ctx.current_offer_sender == ctx.seat
            or not self.order.may_answer(ctx)
            or state.stalled_turns > MAX_STALLED_TURNS
            or self._is_acceptable(ctx)
            or state.is_draft_pending(ctx.elapsed_time)
        ):
            return []
        return self.speak(ctx, state.propose(ctx, asked=state.prompted_by_other))

    def _tick(self, ctx: AgentContext) -> Script:
        state, now, left = self._get_state(ctx), ctx.elapsed_time, ctx.remaining_time
        behaviour = state.policies.behaviour
        if self.is_speaking(ctx):
            return []
        if left is not None and left <= behaviour.hurry:
            return self._make_final_offer(ctx) if left > 0 else []
        if len(ctx.game.seats) > 2 and ctx.current_offer_sender not in (None, ctx.seat):
            return []  # it is the maker of the offer who breaks the silence
        again = state.wait_requested or state.prompted_offer_id == ctx.current_offer_id
        due = state.last_activity + behaviour.silence(state.prompts, longer=again)
        if now >= due and not state.is_draft_pending(now):
            state.prompted_offer_id = ctx.current_offer_id
            state.prompts += 1
            state.last_activity = now
            return self._prompt(ctx)
        late = float("inf") if left is None else now + left - behaviour.hurry
        self._quiet_until = min(max(due, now), late)
        return []

    def _prompt(self, ctx: AgentContext) -> Script:
        state = self._get_state(ctx)
        if ctx.current_offer_sender != ctx.seat:
            return state.propose(ctx, asked=True)
        with state.dialogue.speaking_to(ctx.next_to_answer):
            if state.verbally_accepted_id == ctx.current_offer_id:
                return state.remind(ctx, "offer_agreed")
            if state.prompts > 1 and not is_bindable(ctx.game, ctx.current_offer):
                return state.propose(ctx)
            return state.dialogue.first_of(ctx, "idle_prompt_offer" if state.prompts % 2 else "idle_prompt")

    def _make_final_offer(self, ctx: AgentContext) -> Script:
        """Make the final offer shortly before the end, or accept an acceptable one.

        If the final offer is not accepted either, return to the best that the other has offered.
        """
        state, left = self._get_state(ctx), ctx.remaining_time or 0.0
        if self._is_acceptable(ctx) and ctx.current_offer_sender != ctx.seat:
            return self._accept(ctx)
        if state.final_proposals > 1 or state.is_draft_pending(ctx.elapsed_time):
            return []
        if self.order.is_overtaking(ctx, state.policies.behaviour.hurry):
            return []
        offers = state.policies.offers
        if not state.final_proposals:
            state.final_proposals = 1
            state.own_offers(ctx)
            return self._final_script(state.propose(ctx, "final_whole", offers.final(ctx, state), asked=True))
        if left > state.policies.behaviour.hurry / 2 or not state.best_received.terms:
            return []
        state.final_proposals = 2
        taken = offers.accepts(ctx, state, state.best_received)
        if not taken:
            return []
        return self._final_script(state.propose(ctx, "take_yours", state.best_received, asked=True))

    def _final_script(self, script: Script) -> Script:
        """Return a script with a final offer, and note the offer: it is made again if it is dropped."""
        assert self.state is not None
        sent = (action.offer for action in script if isinstance(action, SendOffer))
        self.state.final_offer = next(sent, None)
        return script

    # Answers to offers

    def reply(self, ctx: AgentContext, inbox: Inbox) -> Script:
        """Return the answer to the last offer, or without one to the messages."""
        state = self._get_state(ctx)
        state.own_offers(ctx)
        face = self._face_for_insult(ctx, inbox)
        if inbox.offers:
            accepts = self._is_acceptable(ctx) and self._may_accept(ctx)
            # First the words: what they state of its value of no deal holds for the answer, too.
            talk = [
                step for message in inbox.messages for step in self._side_talk(ctx, message, accepts=accepts)
            ]
            answer = self._answer_offer(ctx, *inbox.offers[-1])
            if talk or answer or not inbox.messages:
                return [*face, *talk, *answer]
        script = [*face, *answer_inbox(self, ctx, inbox)]
        sender = ctx.current_offer_sender
        if state.opening_due if sender is None else sender != ctx.seat:
            script.append(Schedule(RESUME_OFFERS_MS, self._resume_offers, flushable=True))
        return script

    def _face_for_insult(self, ctx: AgentContext, inbox: Inbox) -> Script:
        state = self._get_state(ctx)
        if all(message.mention(Topic.INSULT) is None for message in inbox.messages):
            return []
        return state.show(state.policies.faces.to_insult())

    def _side_talk(self, ctx: AgentContext, message: HeardMessage, *, accepts: bool) -> Script:
        """Answer what a message asks that came with an offer, and learn from it."""
        learned = [
            note
            for act in message.reading.acts
            if act.subtype is MessageSubtype.PREF_INFO
            for note in self.learn_act(ctx, message.sender, act)
        ]
        with self.dialogue.speaking_to(*listeners(ctx, message)):
            asked = ask_about_contradiction(self, ctx, message)
        return [*learned, *side_answers(self, ctx, message, accepts=accepts), *asked]

    def _answer_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> Script:
        if self._is_acceptable(ctx):
            return self._accept(ctx) if self._may_accept(ctx) else []
        if len(ctx.game.seats) > 2:
            decided = ctx.current_offer_sender in (None, ctx.seat) or self.order.is_accepting(ctx)
            if decided or not self.order.may_answer(ctx):
                return []
            self.note_answer(ctx)
            sender, offer = ctx.current_offer_sender or sender, ctx.current_offer
        if not is_bindable(ctx.game, offer):
            return self._answer_partial_offer(ctx, Reply(sender, offer))
        return self._refuse(ctx, Reply(sender, offer)) if ctx.current_offer_sender == sender else []

    def _is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the offer on the table may be accepted, and is good enough."""
        state = self._get_state(ctx)
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.least_points:
            return False
        if ctx.current_offer_id == state.accepted_offer_id:
            return False
        return self.would_accept(ctx, ctx.current_offer)

    def _may_accept(self, ctx: AgentContext) -> bool:
        """Return whether it is time to accept the offer on the table: in the order of the seats, or late."""
        late = ctx.current_offer_sender != ctx.seat and self._get_state(ctx).late(ctx)
        return late or self.order.may_accept(ctx)

    def _accept(self, ctx: AgentContext) -> Script:
        state = self._get_state(ctx)
        state.accepted_offer_id = ctx.current_offer_id
        self.order.record_acceptance(ctx)
        several = len(ctx.game.seats) > 2
        if not self.order.may_speak(ctx):
            return [FormalAccept()]
        face = state.show(state.policies.faces.when_agreed())
        # Of several, another acceptance would drop this one, which is meant for the same offer.
        return [*face, *state.dialogue.accept_words(ctx), FormalAccept(flushable=not several)]

    def _answer_partial_offer(self, ctx: AgentContext, answers: Reply) -> Script:
        """Return an answer to a partial offer."""
        state = self._get_state(ctx)
        own = state.own_offers(ctx)
        whole = state.policies.offers.completion(ctx, state, answers.offer)
        if own and ctx.game.is_complete(own[-1]):
            # What the other leaves open is as in its own last offer, or it makes its own next one.
            merged = own[-1].with_terms_of(answers.offer)
            whole = merged if self.would_accept(ctx, merged) else None
            if whole in state.deals.excluded:  # the other has offered it before
                return state.propose(ctx, "take_yours", whole, answers=answers)
        if whole is None:
            state.policies.offers.give_way(0.5)
            return state.propose(ctx, answers=answers)
        kind = "complete_theirs" if ctx.game.is_complete(whole) else ""
        if not kind:
            added = {name: term for name, term in whole.terms if answers.offer.get(name) is None}
            if added and not state.is_repeated(ctx, whole) and not takes_back(state.dialogue, ctx, whole):
                words = state.dialogue.say(ctx, "add_terms", terms=state.dialogue.terms(ctx, added))
                return [*words, *self._bare_offer(ctx, whole)]
        return state.propose(ctx, kind, whole, answers=answers)

    def _refuse(self, ctx: AgentContext, answers: Reply) -> Script:
        """Return a refusal of a whole offer, with a proposal."""
        state = self._get_state(ctx)
        offers, before = state.policies.offers, state.policies.offers.demand
        wanted = state.deals.gain(offers.wanted(ctx, state))
        fairness = state.deals.gain(ctx.utility(answers.offer)) / wanted if wanted else 1.0
        if state.conceded_for != ctx.current_offer_id:  # an answer that was dropped has conceded already
            offers.give_way()
            state.stalled_turns = 0 if state.news or offers.demand < before else state.stalled_turns + 1
        state.conceded_for = ctx.current_offer_id
        if self._is_acceptable(ctx):
            return self._accept(ctx)
        if state.stalled_turns > MAX_STALLED_TURNS * (len(ctx.game.seats) - 1):
            return []
        face = state.show(state.policies.faces.to_offer(fairness))
        reply = Reply(answers.sender, answers.offer, fairness)
        return [*face, *state.propose(ctx, answers=reply)]

    # What the dialogue layer asks for

    def would_accept(self, ctx: AgentContext, offer: Offer) -> bool:
        """Return whether it would accept a complete offer now."""
        state = self._get_state(ctx)
        if ctx.utility(offer) < ctx.least_points:
            return False
        if offer in state.dialogue.memory.welcomed or offer in state.own_offers(ctx):
            return True
        return state.policies.offers.accepts(ctx, state, offer)

    def deal_with(self, ctx: AgentContext, part: Offer) -> Offer | None:
        """Return a complete offer with some terms that it would make now; None if there is none."""
        state = self._get_state(ctx)
        if ctx.game.is_complete(part):
            return part if self.would_accept(ctx, part) else None
        return state.deals.best(state.policies.offers.wanted(ctx, state), keep=part)

    def may_agree(self, ctx: AgentContext, part: Offer) -> bool:
        """Return whether it would accept some complete offer with these terms now."""
        state = self._get_state(ctx)
        return state.deals.exists(state.policies.offers.wanted(ctx, state), part)

    def wanted_offer(self, ctx: AgentContext) -> Offer | None:
        """Return its last offer, or the next one before the first."""
        state = self._get_state(ctx)
        own = state.own_offers(ctx)
        return own[-1] if own else state.next_offer(ctx)

    def may_yield(self, ctx: AgentContext) -> bool:
        """Return whether it may still ask for less than now."""
        offers = self._get_state(ctx).policies.offers
        return offers.demand > offers.least

    def remind_of_acceptance(self, ctx: AgentContext) -> Script | None:
        """Return a reminder that it has accepted the offer on the table; None if it has not."""
        state = self._get_state(ctx)
        if state.accepted_offer_id is None or state.accepted_offer_id != ctx.current_offer_id:
            return None
        return state.remind(ctx, "yours_missing")

    def answer_request(self, ctx: AgentContext, message: HeardMessage, *, fairer: bool) -> Script:  # noqa: ARG002
        """Answer a request for an offer with one: a better one for the other, if it has just made one."""
        state = self._get_state(ctx)
        if ctx.current_offer_sender == ctx.seat:
            state.policies.offers.give_way(1.0 if fairer else 0.5)
        kind = "" if ctx.current_offer_sender == ctx.seat else "offer_asked"
        return state.propose(ctx, kind, asked=True)

    def answer_announcement(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Ask for the offer that was announced and has not come."""
        if ctx.current_offer_sender == ctx.seat and ctx.current_offer_id != message.offer_id:
            return []  # it has made an offer itself since then
        if self.has_arrived(ctx, message):
            return []
        return self.dialogue.say(ctx, "ask_for_offer")

    def answer_acceptance(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a yes in words, which binds no one: ask for the formal one, or go on from the agreed terms.

        A yes does not count for later proposals: whether it is meant for one of these is asked.
        """
        state, offer = self._get_state(ctx), ctx.current_offer
        if state.accepted_offer_id is not None and state.accepted_offer_id == ctx.current_offer_id:
            return state.remind(ctx, "yours_missing")
        if not offer.terms:
            return state.dialogue.say(ctx, "ask_for_offer")
        if ctx.current_offer_sender != ctx.seat:
            return state.dialogue.say(ctx, "ask_whether_yes" if state.own_offers(ctx) else "think_it_over")
        if ctx.current_offer_id != message.offer_id:
            return state.dialogue.say(ctx, "ask_whether_yes")
        if len(ctx.game.seats) > 2 and message.sender in ctx.accepted_by:
            return []  # the words went with the acceptance
        if is_bindable(ctx.game, offer):
            state.verbally_accepted_id = ctx.current_offer_id
            return state.remind(ctx, "offer_agreed")
        state.agreed_terms |= dict(offer.terms)
        words = state.dialogue.say(ctx, "part_agreed")
        return [*words, *state.propose(ctx)]

    def answer_rejection(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Concede some time after a plain no, unless something better came."""
        state = self._get_state(ctx)
        again = message is state.last_rejection  # an answer that was dropped has conceded already
        state.last_rejection = message
        state.stalled_turns += not again
        if ctx.current_offer_sender is None:
            return state.dialogue.first_of(ctx, "ask_for_offer", "pref_request")
        if ctx.current_offer_sender != ctx.seat:
            return state.dialogue.say(ctx, "ask_what_to_change") if state.stalled_turns < 4 else []
        self.forget_agreement()
        if not again:
            state.policies.offers.give_way()
        return state.propose(ctx) if state.stalled_turns < 12 else []

    def answer_threat(self, ctx: AgentContext, message: HeardMessage) -> Script:  # noqa: ARG002
        """Answer a threat with a concession, or calmly."""
        state = self._get_state(ctx)
        face = state.show(state.policies.faces.to_threat())
        if not state.policies.offers.yields_to_threats:
            return [*face, *state.dialogue.say(ctx, "threat_answer")]
        state.policies.offers.give_way()
        script = state.propose(ctx, "stay_offer", asked=True)
        return [*face, *(script or state.dialogue.say(ctx, "threat_answer"))]

    def answer_favour(self, ctx: AgentContext, subtype: MessageSubtype) -> Script:
        """Answer a message about favours by the ledger."""
        return answer_favour(self, self._get_state(ctx), ctx, subtype)

    def offer_deal(
        self,
        ctx: AgentContext,
        deal: Offer,
        part: Offer,  # noqa: ARG002
        kind: str,
        **slots: str,
    ) -> Script:
        """Return a deal that it was asked for, with words of a kind."""
        state = self._get_state(ctx)
        words = state.dialogue.say(ctx, kind, **slots)
        return [*words, *self._bare_offer(ctx, deal)]

    def _bare_offer(self, ctx: AgentContext, offer: Offer) -> Script:
        """Return an offer whose words are chosen already."""
        state = self._get_state(ctx)
        if state.standing_offer(ctx) == offer:
            return []
        return state.propose(ctx, "", offer, asked=True)[-1:]

    def opponent_model(self, seat: Seat) -> ExpressiveOpponentModel:
        """Return its model of another seat."""
        assert self.state is not None
        return self.state.others[seat]

    def overhear(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Learn what a message says about its sender's preferences."""
        state = self._get_state(ctx)
        state.question_heard |= message.reading.has(*PREFERENCE_QUESTIONS)
        acts = [act for act in message.reading.acts if act.subtype is MessageSubtype.PREF_INFO]
        limits = [act.batna for act in message.reading.acts if act.batna is not None]
        for limit in limits:
            self.opponent_model(message.sender).batna = limit
        if message.reading.has(MessageSubtype.TIMING_INFO) and not message.to:
            self.record_wait_request(ctx)
        return [note for act in acts for note in self.learn_act(ctx, message.sender, act)]

    def learn_act(self, ctx: AgentContext, sender: Seat, act: DialogueAct) -> Script:
        """Learn from a statement about the sender's preferences, and note down what it believes."""
        state = self._get_state(ctx)
        state.preferences_received = True
        if act.need is not None and act.issue is not None:
            state.others[sender].update_from_need(act.issue, act.need)
        if act.preference is None or act.preference.is_question:
            return []
        state.others[sender].update_from_preference(act.preference)
        return [state.belief_note(ctx, sender)]

    def stated_value_of_no_deal(self, ctx: AgentContext) -> Points:
        """Return the value of no deal that it states."""
        state = self._get_state(ctx)
        state.own_offers(ctx)
        return max(ctx.least_points, state.presented_limit)

    def record_stated_limit(self, limit: Points) -> None:
        """Record that it has stated a value of no deal, which its offers must not disprove."""
        state = self.state
        assert state is not None
        state.stated_limit = max(state.deals.floor, min(limit, state.deals.best_points))

    def record_wait_request(self, ctx: AgentContext) -> bool:
        """Record that the other needs time; return whether there is any left."""
        state = self._get_state(ctx)
        state.wait_requested = not state.late(ctx)
        return state.wait_requested

    def forget_agreement(self) -> None:
        """Forget what the other has agreed to in words."""
        assert self.state is not None
        self.state.agreed_terms = {}
        self.state.verbally_accepted_id = None

    def promise(self) -> str:
        """Return the state of its favours: ``none``, ``given`` or ``betrayed``."""
        assert self.state is not None
        ledger = self.state.ledger
        if not ledger.is_giving:
            return "none"
        return "betrayed" if ledger.way is FavourPolicy.BETRAYING else "given"

    def _get_state(self, ctx: AgentContext) -> ExpressiveAgentState:
        if self.state is None:
            self._policies = self._policies or self.policies()
            self.state = ExpressiveAgentState(ctx, self._policies)
        return self.state
