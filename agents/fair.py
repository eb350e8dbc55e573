"""An agent that talks, and splits evenly by value."""

from collections import Counter
from functools import partial

from pydantic import BaseModel, Field

from negoplatform.agent_api import (
    Allocation,
    Bids,
    EventType,
    Expression,
    FormalAccept,
    MessageSubtype,
    NegotiationAgent,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)

SILENCE_SECONDS = 40
LATER_SILENCE_SECONDS = 60
MAX_REMINDERS = 2
HURRY_SECONDS = 30
MAX_REPETITIONS = 2
"""Times that it says a sentence, or makes the same proposal in a row."""

ANSWERS = {
    MessageSubtype.GREETING: ("Hello! I would like us both to leave this table content.", "Hello again!"),
    MessageSubtype.PREF_REQUEST: (
        "Some things matter more to me than others. An offer tells you which.",
        "Look at what I ask for: that is what I like.",
    ),
    MessageSubtype.OFFER_REQUEST_POS: (
        "With pleasure. This is what seems fair to me:",
        "Gladly. I think of this:",
        "Here is what I would do:",
    ),
    MessageSubtype.OFFER_REQUEST_NEG: (
        "Very well. This is what seems fair to me:",
        "All right, an offer of mine:",
        "If you wish. Here it is:",
    ),
    MessageSubtype.THREAT: (
        "I would be sorry to see you go. Let us look for something that suits us both.",
        "Please stay. We can both do better than that.",
    ),
}
NEED_NO_ANSWER = {
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_ACCEPT,
    MessageSubtype.CLARIFICATION,
    MessageSubtype.TIMING,
    MessageSubtype.TIMING_INFO,
    MessageSubtype.FAREWELL,
}
QUESTION = (
    "Good question. Perhaps an offer says it best:",
    "Let me answer with an offer:",
    "I would put it like this:",
)
TOO_LITTLE = ("That leaves me with too little.", "I cannot say yes to that.", "I would need a bit more.")
COUNTER = ("Could we meet here instead?", "How about this?", "I would share it like this:")
START = (
    "That is a start. I would rather share it like this:",
    "Good to begin there. I see it more like this:",
)
COMPLETION = ("A good start. With the rest like this I could agree:", "And the rest like this?")
RECONSIDERED = ("Then perhaps this?", "I could also do this:", "Would this be better?")
STAND_BY = (
    "I think that my offer is fair. What would you change?",
    "I stay with my offer for now. Your turn!",
)
INTO_SILENCE = ("Shall I say what seems fair to me?", "Then let me propose something:", "What about this?")
ACCEPTED = ("That works for me. I accept!", "Good, I take it.")
NO_DEAL = ("I see no deal here that is better for me than none.", "There is nothing here that helps me.")
PLAIN_ANSWERS = (
    "I see. How would you put that into an offer?",
    "Thank you for telling me. Build an offer, and I will look at it at once.",
    "All right. I am sure that we can find something even.",
    "I hear you. What would you propose?",
)
REMINDERS = (
    "Take your time. I am still here.",
    "Would you like to change something about my offer?",
    "Whenever you are ready: an offer of yours would help me.",
)
"""Messages into a silence, twice in a row; after that it waits."""

EXPRESSION_REPLIES = {
    Expression.HAPPY: (Expression.HAPPY, ("I am glad that you like it.", "Good to see you smile.")),
    Expression.SAD: (Expression.SAD, ("I am sorry. Tell me what would make it better.", "What is missing?")),
    Expression.ANGRY: (
        Expression.SURPRISED,
        ("I did not mean to upset you. What would be fair in your eyes?", "Let us look at it calmly."),
    ),
    Expression.SURPRISED: (
        Expression.NEUTRAL,
        ("Does that surprise you? Let us look at it once more.", "I can explain it with another offer."),
    ),
}


class Fair(NegotiationAgent):
    """Talks, splits evenly by value, and responds to messages, emotions, silence and the deadline.

    Where the game shows the other's preferences it looks for the outcome that leaves the worse-off side
    best off; where it does not, it halves what can be divided and asks for half of what it could gain.
    """

    class Settings(BaseModel):
        share: float = Field(
            0.5, ge=0, le=1, title="Share it asks for", description="Of what it could gain at most."
        )

    def get_name(self):
        return self.get_config("name", "Rowan")

    def reset(self):
        self.proposal = None
        self.proposals = []
        self.acceptance_threshold = float("inf")
        self.last_activity = 0.0
        self.hurried = False
        self.use_counts = Counter()
        self.proposed, self.in_a_row = None, 0
        self.reminders = 0
        self.replying_until = 0.0

    def on_game_start(self, ctx, event):
        self.bids = Bids(ctx)
        self.proposals = self.fair_proposals(ctx)
        self.give_way(ctx)
        return [
            SendExpression(Expression.HAPPY),
            SendMessage("Hello! Shall we find a split that suits us both?", MessageSubtype.GREETING),
            Schedule(12_000, self.open_if_nobody_has),
        ]

    def open_if_nobody_has(self, ctx):
        return self.propose(COUNTER[1:]) if ctx.current_offer_sender is None else None

    def on_send_offer(self, ctx, event):
        self.record_activity(ctx)
        if self.acceptable(ctx):
            return [
                SendExpression(Expression.HAPPY),
                *self.say(ACCEPTED, MessageSubtype.OFFER_ACCEPT),
                FormalAccept(),
            ]
        if not self.is_asked(ctx, event):
            return []
        if not ctx.game.is_complete(event.get_offer()):
            whole = self.filled_in(ctx, event.get_offer())
            if whole is None:
                return self.propose(START)
            return self.propose(COMPLETION, offer=whole)
        self.give_way(ctx)
        return [
            SendExpression(Expression.SAD),
            *self.say(TOO_LITTLE, MessageSubtype.OFFER_REJECT),
            *self.propose(COUNTER),
        ]

    def on_formal_accept(self, ctx, event):
        """Confirm the offer that the other has accepted: the agent's own, or one that it can accept."""
        self.record_activity(ctx)
        own = ctx.current_offer_sender == ctx.seat
        return [FormalAccept()] if ctx.can_formally_accept() and (own or self.acceptable(ctx)) else []

    def on_action_refused(self, ctx, event):
        """Look at the newer offer after an acceptance that came too late: perhaps it is as good."""
        late = event.payload.action == EventType.FORMAL_ACCEPT
        return [FormalAccept()] if late and self.acceptable(ctx) else []

    def on_send_message(self, ctx, event):
        self.record_activity(ctx)
        if ctx.state.meta.phase == "closing":
            return []  # on_game_end says goodbye, and once is enough
        subtype = event.payload.subtype
        if subtype == MessageSubtype.OFFER_REJECT:
            return [Schedule(3_000, self.reconsider, flushable=True)]
        if subtype in NEED_NO_ANSWER or not self.is_asked(ctx, event):
            return []
        if subtype in (MessageSubtype.OFFER_REQUEST_POS, MessageSubtype.OFFER_REQUEST_NEG):
            return self.propose(ANSWERS[subtype], asked=True)
        if subtype in ANSWERS:
            return self.chat(ctx, ANSWERS[subtype])
        if event.get_text().rstrip().endswith("?"):
            return self.propose(QUESTION)
        return self.chat(ctx, PLAIN_ANSWERS)

    def on_send_expression(self, ctx, event):
        self.record_activity(ctx)
        if event.get_expression() not in EXPRESSION_REPLIES or not self.is_asked(ctx, event):
            return []
        expression, words = EXPRESSION_REPLIES[event.get_expression()]
        answer = self.chat(ctx, words)
        return answer and [SendExpression(expression, delay_ms=300), *answer]

    def on_time(self, ctx, event):
        left = ctx.remaining_time
        if left is not None and 0 < left <= HURRY_SECONDS and not self.hurried:
            self.hurried = True
            hurry = ("Time is running out. Can we settle on this?",)
            return self.propose(hurry, MessageSubtype.TIMING_INFO, asked=True)
        silence = LATER_SILENCE_SECONDS if self.reminders else SILENCE_SECONDS
        if ctx.elapsed_time - self.last_activity >= silence and self.reminders < MAX_REMINDERS:
            self.last_activity = ctx.elapsed_time
            self.reminders += 1
            if ctx.current_offer_sender != ctx.seat:
                return self.propose(INTO_SILENCE, MessageSubtype.TIMING, asked=True)
            return self.say(REMINDERS, MessageSubtype.TIMING)
        return []

    def on_game_end(self, ctx, event):
        if event.get_offer():
            return [
                SendExpression(Expression.HAPPY),
                SendMessage("Good to deal with you!", MessageSubtype.FAREWELL),
            ]
        return [
            SendExpression(Expression.SAD),
            SendMessage("A pity. Another time, perhaps.", MessageSubtype.FAREWELL),
        ]

    def acceptable(self, ctx):
        """Return whether the standing offer meets the demand; near the deadline, whether it beats no deal."""
        late = ctx.remaining_time is not None and ctx.remaining_time <= HURRY_SECONDS
        least = ctx.reservation_value if late or self.proposal is None else self.acceptance_threshold
        return ctx.can_formally_accept() and ctx.get_agent_utility() >= least

    def fair_proposals(self, ctx):
        """Return the fairest outcome known to this seat, then up to three that leave it a little less each.

        Pairs of the points that it asks for and the offer; none if no outcome is as good as no deal.
        """
        proposals = []
        low, high = self.bids.lowest, self.bids.highest
        asked, last = max(ctx.reservation_value, low + self.settings.share * (high - low)), float("inf")
        measure = self.even_by_value if ctx.opponent_preferences_visible else self.even_by_units
        for _ in range(4):
            best = self.bids.max_by(partial(measure, ctx, asked, last))
            points = ctx.utility(best)
            if not ctx.reservation_value <= points < last:
                break
            asked = min(asked, points) if proposals or not ctx.opponent_preferences_visible else points
            proposals.append((asked, best))
            asked, last = max(ctx.reservation_value, asked - (high - low) / 20), points
        return proposals

    def even_by_value(self, ctx, asked, last, offer):
        """Score an offer: at first by the points of the worse-off side, later by the others' points."""
        mine = ctx.utility(offer)
        others = [ctx.get_opponent_utility(offer, seat) for seat in ctx.game.others(ctx.seat)]
        if last == float("inf"):
            return mine >= ctx.reservation_value, min(mine, *others), mine + sum(others)
        return asked <= mine < last, min(others), mine

    def even_by_units(self, ctx, asked, last, offer):
        """Score an offer: between the demand and the last proposal, in heaps as equal as can be."""
        mine = ctx.utility(offer)
        heaps = [
            [term.of(seat) for seat in ctx.game.seats]
            for _, term in offer.terms
            if isinstance(term, Allocation)
        ]
        unevenness = sum(max(heap) - min(heap) for heap in heaps)
        return asked <= mine < last, mine >= ctx.reservation_value, -unevenness, -abs(mine - asked)

    def filled_in(self, ctx, start):
        """Return the other's partial offer, completed to be just enough here; None if it cannot be."""

        def fits(offer):
            for name, term in start.terms:
                whole = offer.get(name)
                if isinstance(term, Allocation):
                    if any(whole.of(seat) < units for seat, units in term.units.items()):
                        return False
                elif whole != term:
                    return False
            return ctx.utility(offer) >= self.acceptance_threshold

        best = self.bids.max_by(lambda offer: (fits(offer), -ctx.utility(offer)))
        return best if fits(best) else None

    def give_way(self, ctx):
        """Return the next proposal; the last one stands."""
        if self.proposals:
            self.acceptance_threshold, self.proposal = self.proposals.pop(0)

    def reconsider(self, ctx):
        """Concede some time after a plain no, unless something better came."""
        if ctx.current_offer_sender != ctx.seat:
            return None
        self.give_way(ctx)
        return self.propose(RECONSIDERED)

    def record_activity(self, ctx):
        self.last_activity = ctx.elapsed_time
        self.reminders = 0

    def is_asked(self, ctx, event):
        """Return whether to answer: of several the next seat, as answers to answers would flood the table."""
        seats = ctx.game.seats
        return ctx.seat in event.to or seats[(seats.index(event.sender) + 1) % len(seats)] == ctx.seat

    def chat(self, ctx, words):
        """Answer one message at a time: while an answer is pending, the other may go on.

        An offer may come with the text from which it was made; then the answer to the offer is enough.
        """
        if ctx.elapsed_time < self.replying_until:
            return []
        self.replying_until = ctx.elapsed_time + 2
        return self.say(words, flushable=True)

    def propose(self, words, subtype=MessageSubtype.OFFER_PROPOSE, offer=None, asked=False):
        """Return a message and the offer; both are dropped if the other acts before they are sent.

        The same proposal is made a third time in a row only on request.
        """
        offer = offer or self.proposal
        if offer is None:
            return self.say(NO_DEAL, MessageSubtype.OFFER_REJECT)
        self.in_a_row = self.in_a_row + 1 if offer == self.proposed else 1
        self.proposed = offer
        if self.in_a_row > MAX_REPETITIONS and not asked:
            return self.say(STAND_BY)
        introduction = self.say(words, subtype, flushable=True)
        return [*introduction, SendOffer(offer, delay_ms=700, flushable=True)]

    def say(self, ways, subtype=MessageSubtype.GENERIC, flushable=False):
        """Return the least used of several sentences; nothing once each has been said often enough."""
        words = min(ways, key=self.use_counts.__getitem__)
        if self.use_counts[words] >= MAX_REPETITIONS:
            return []
        self.use_counts[words] += 1
        return [ShowTyping(900), SendMessage(words, subtype, delay_ms=900, flushable=flushable)]
