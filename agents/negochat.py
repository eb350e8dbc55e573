"""NegoChat and its relatives, which settle a deal in talk: Rosenfeld, Zuckerman, Segal-Halevi, Drein and
Kraus, "NegoChat: a chat-based negotiation agent" (AAMAS 2014) and "NegoChat-A: a chat-based negotiation agent
with bounded rationality" (Autonomous Agents and Multi-Agent Systems 30, 2016); and the two agents that came
before them. What each does, and where it departs from the papers, is in docs/negochat.md.
"""

from typing import Literal

from pydantic import BaseModel, Field

from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.language.generation.templates import languages
from negoplatform.strategies.negochat.complete_offers import KnowledgeBase, Ranks
from negoplatform.strategies.negochat.full_offer_agent import Wholesale
from negoplatform.strategies.negochat.issue_negotiation import Discussion
from negoplatform.strategies.negochat.moves import Move
from negoplatform.strategies.negochat.turn_taking_agent import Paced

__all__ = ["KbAgent", "Negochat", "NegochatA", "QoAgent"]


class Common(BaseModel):
    """What all four can be set to."""

    tables: Literal["auto", "published", "computed"] = Field(
        "auto",
        title="Thresholds",
        description="auto: published ones where they fit, computed ones elsewhere. published: the same, and "
        "the record says where they don’t fit.",
    )
    thresholds: dict[str, list[float]] | None = Field(
        None, title="Own thresholds", description="Figures for each turn, by opponent type."
    )
    types: Literal["auto", "published", "generated"] = Field(
        "auto", title="Opponent types", description="auto: published ones where they fit."
    )
    use_visible: bool = Field(
        True,
        title="Use known preferences",
        description="Where the game shows them, they are the only opponent type.",
    )
    prior: list[float] | None = Field(
        None, title="Prior", description="How likely each type is at first. Leave empty if all equally."
    )
    precision: float = Field(0.3, gt=0, le=100, title="Choice precision (Luce rule)")
    culture: Literal["usa", "israel", "egypt", "own"] = Field(
        "usa",
        title="Order of issues",
        description="By country, where published. own: by what matters to it.",
    )
    turn_seconds: float | None = Field(
        None, gt=0, title="Seconds per turn", description="Leave empty for the game’s own, or 14 turns."
    )
    reply_seconds: float = Field(4.0, ge=0, le=60, title="Seconds before it answers")
    follow_pace: bool = Field(
        False,
        title="Follow the other’s pace",
        description="Answers as quickly as they do, in 1 to 20 seconds (egypt: 16 to 60).",
    )
    silence_seconds: float = Field(25.0, ge=5, title="Seconds of silence before it speaks up")
    later_silence_seconds: float = Field(
        60.0,
        ge=5,
        title="Seconds of silence later",
        description="After its first reminder, or when it was asked to wait.",
    )
    reminders: int = Field(
        2, ge=0, le=20, title="Reminders in a row", description="How many times in a row it breaks a silence."
    )
    language: Literal[languages()] = Field("en", description="The game's own words stay as they are.")
    style: Literal["warm", "neutral", "tough"] = Field("warm", title="Manner", description="How it speaks.")
    quiet: bool = Field(False, title="Offers only", description="No words and no faces.")


class Negochat(Paced):
    """Settles one issue after the other: proposes a value, takes what fits, and goes back where nothing does.

    It takes the other side to be one of a few types, and learns which from offers and refusals. What is
    agreed in words binds nobody; when all is agreed it sends the whole as one offer and signs that. Where a
    part could be a deal, or more than two sit at the table, it sends the whole bid behind each proposal.
    """

    Settings = Common

    def get_name(self):
        return self.get_config("name", "Alex")

    def begin(self, ctx):
        kit = self.kit
        self.talk = Discussion(
            kit.space,
            kit.own,
            kit.belief,
            kit.thresholds,
            kit.order,
            least=ctx.reservation_value,
            time_effect=kit.time_effect,
            eases=kit.tables == "computed",
        )
        self.by_issue = False
        self.thoughts = 0
        self.wholes = ctx.game.rules.allow_partial or len(ctx.game.seats) > 2

    def at_turn(self, turn):
        self.talk.enter(turn)

    def new_turn(self):
        super().new_turn()
        self.thoughts = 0

    def opening(self, ctx):
        return self.carry_out(ctx, self.talk.next())

    def judge(self, ctx, bid):
        return self.talk.full_offer(bid)

    def is_agreed(self, bid):
        return self.talk.is_agreed(bid)

    def has_agreed(self, asked):
        return self.talk.has_agreed(asked)

    def is_enough(self, ctx):
        return self.talk.enough_points(ctx.get_agent_utility())

    def stand(self):
        return tuple(self.talk.agreed.items()), tuple(self.talk.goal.items())

    def stand_in_words(self, ctx):
        return self.terms_in_words(ctx, self.talk.goal) if self.stands else ""

    @property
    def stands(self):
        """Whether something is put forward that has not been refused."""
        return bool(self.talk.goal) and not self.talk.thinking

    def answer_full(self, ctx, bid):
        return [*self.face(Expression.SAD), *self.carry_out(ctx, self.talk.next(), "whole_refused")]

    def answer_part(self, ctx, asked):
        return self.carry_out(ctx, self.talk.asked_for(asked), countering="issue_counter")

    def answer_settled(self, ctx, asked):
        if not self.talk.open_issues:
            return self.carry_out(ctx, self.talk.next())
        taken = self.terms_in_words(ctx, asked)
        if not self.stands:
            return self.say(ctx, "issue_settled", MessageSubtype.CONFIRMATION, terms=taken)
        terms = self.terms_in_words(ctx, self.talk.goal)
        words = self.say(ctx, "issue_settled_next", MessageSubtype.CONFIRMATION, taken=taken, terms=terms)
        return [*words, *self.offer(ctx, self.proposal({}))]

    def answer_yes(self, ctx):
        if not self.talk.goal:
            return self.repeat(ctx, "repeat_asked", MessageSubtype.CLARIFICATION)
        return self.carry_out(ctx, self.talk.accepted())

    def answer_no(self, ctx):
        answer = self.talk.refused()
        return [*self.tell_belief(ctx), *self.carry_out(ctx, answer)]

    def answer_compromise(self, ctx, about):
        agreed = self.talk.agreed
        still_open = [issue for issue in about if issue not in agreed]
        if about and not still_open:
            return self.answer_settled(ctx, {issue: agreed[issue] for issue in about})
        return self.carry_out(ctx, self.talk.compromise(*still_open[:1]))

    def answer_query(self, ctx, about, *, least):
        agreed, best = self.talk.agreed, self.talk.best()
        order = self.kit.order
        issue = (about or (order[-1:] if least else self.talk.open_issues or order))[0]
        if issue in agreed and about:
            words = self.terms_in_words(ctx, {issue: agreed[issue]})
            return self.say(ctx, "issue_settled", MessageSubtype.CONFIRMATION, terms=words)
        if least and not about:
            return self.say(ctx, "need_least", MessageSubtype.CLARIFICATION, issue=self.title(ctx, issue))
        kind = "issue_wish" if about else "need_most"
        return self.wish(ctx, kind, issue, self.kit.own.best(issue) if best is None else best[issue])

    def repeat(self, ctx, kind, subtype):
        if not self.stands:
            return self.carry_out(ctx, self.talk.next())
        words = self.say(ctx, kind, subtype, terms=self.terms_in_words(ctx, self.talk.goal))
        return [*words, *self.offer(ctx, self.proposal({}))]

    def turn_comes(self, ctx):
        """What it put forward stands; where it had nothing left, lower thresholds may bring something."""
        return [] if self.stands else self.carry_out(ctx, self.talk.next())

    def last_proposal(self, ctx):
        bid = self.talk.closing()
        return None if bid is None else self.kit.space.offer(bid)

    def carry_out(self, ctx, answer, proposing=None, countering=None):
        """A move in words and as an offer.

        ``proposing`` is the kind of words for a value of the next issue, and ``countering`` that for another
        value in place of what the other has asked for; None where the other has asked for nothing.
        """
        talk, subtype = self.talk, MessageSubtype.OFFER_PROPOSE
        if answer.move is Move.SIGN:
            return self.sign(ctx, talk.behind)
        taken = self.terms_in_words(ctx, answer.taken) if answer.taken else ""
        if answer.move is Move.THINK and not taken:
            return self.think(ctx)
        face, kind = [], "issue_taken" if taken else proposing or self.idea()
        match answer.move:
            case Move.PROPOSE if taken:
                kind = "issue_next"
            case Move.ACCEPT:
                face = self.face(Expression.HAPPY)
            case Move.COUNTER:
                kind = self.change(ctx) or countering or self.idea()
            case Move.REOPEN:
                kind = "issue_reopened" if taken else "issue_taken_up_again"
            case Move.REJECT:
                return self.reject(ctx)
            case Move.THINK:
                kind = "issue_taken_thinking"
        if kind in (self.same_again, "issue_counter"):
            subtype = MessageSubtype.OFFER_REJECT
        self.by_issue = self.by_issue or bool(talk.goal)
        terms = self.terms_in_words(ctx, talk.goal) if talk.goal else ""
        words = self.say(ctx, kind, subtype, terms=terms, taken=taken)
        return [*face, *words, *self.offer(ctx, self.proposal(answer.taken))]

    def reject(self, ctx):
        """A plain no; what it has put forward stands, unless that was refused itself."""
        kind = self.same_again if self.stands else "reject_offer"
        words = self.say(ctx, kind, MessageSubtype.OFFER_REJECT, terms=self.stand_in_words(ctx))
        again = self.offer(ctx, self.proposal({})) if self.stands else []
        return [*self.face(Expression.SAD), *words, *again]

    def idea(self):
        """The kind of words for a proposal that answers nothing that the other has asked for."""
        return "issue_idea" if self.by_issue else "issue_first"

    def change(self, ctx):
        """The kind of words for the same again, or for something that is worth less to it; else None."""
        own, goal = self.kit.own, self.talk.goal
        last = self.kit.space.terms(ctx.board.latest.get(ctx.seat, EMPTY_OFFER))
        before = {issue: last[issue] for issue in goal if issue in last}
        if before == goal:
            return self.same_again
        less = sum(own.part(*term) for term in goal.items()) < sum(own.part(*term) for term in before.items())
        return "issue_gives_way" if less and before.keys() == goal.keys() else None

    def think(self, ctx):
        """Says once a turn that it thinks, then once that the other may say what it wants; then it waits."""
        self.thoughts += 1
        if self.thoughts == 1:
            return self.say(ctx, "think_it_over", MessageSubtype.TIMING_INFO)
        return self.say(ctx, "ask_what_to_change", MessageSubtype.TIMING_INFO) if self.thoughts == 2 else []

    def proposal(self, taken):
        """What it sends: what has just been agreed and what it puts forward, or a whole."""
        whole = self.talk.closing() if self.hurried else self.talk.behind if self.wholes else None
        if whole is not None:
            return self.kit.space.offer(whole)
        return self.kit.space.offer({**taken, **self.talk.goal})


class NegochatA(Negochat):
    """Negochat that first asks for the best deal it could hope for, and then settles issue by issue.

    The anchor is a complete offer about five seconds after the start: of the bids that are good enough for
    both sides by its thresholds, the best for itself.
    """

    class Settings(Common):
        anchor_seconds: float = Field(5.0, ge=1, le=60, title="Seconds before its first offer")

    def get_name(self):
        return self.get_config("name", "Ariel")

    def configure(self, config):
        super().configure(config)
        self.opening_seconds = self.settings.anchor_seconds - 1  # it greets a second after the start

    def opening(self, ctx):
        self.talk.behind = bid = self.talk.best()
        if bid is None:
            return super().opening(ctx)
        words = self.say(ctx, "anchor", MessageSubtype.OFFER_PROPOSE)
        return [*words, *self.offer(ctx, self.kit.space.offer(bid))]


class KbAgent(Wholesale):
    """Makes one complete offer for each turn and type, every second turn, and accepts by the same thresholds.

    A partial offer is worth what it decides and the average of the rest; if that is enough, it asks for the
    whole, else for something better. It refuses what is no better than what the other has already agreed to.
    """

    Settings = Common

    def get_name(self):
        return self.get_config("name", "Kim")

    def begin(self, ctx):
        self.base, self.reached = KnowledgeBase(self.kit, ctx.reservation_value), None

    def waits(self):
        return self.standing is not None and self.turn < self.offered_in + 2

    def new_offer(self, ctx):
        return self.base.offer(self.turn)

    def agreed_in_words(self, ctx):
        self.reached = ctx.get_agent_utility()

    def is_good(self, ctx, points):
        return self.base.enough(points, self.turn) and (self.reached is None or points > self.reached)

    def answer_part(self, ctx, asked):
        if not self.base.enough(self.base.completed(asked, self.turn), self.turn):
            return self.put_forward(ctx, "whole_instead")
        return self.say(ctx, "whole_wanted", MessageSubtype.OFFER_REQUEST_POS)


class QoAgent(Wholesale):
    """Offers, once a turn, what ranks highest for the side that it ranks lowest for, and learns who that is.

    The other side's rank of a bid is how likely it is to accept it. It accepts what is worth as much to it as
    what it would offer next, or has offered.
    """

    Settings = Common

    def get_name(self):
        return self.get_config("name", "Quinn")

    def begin(self, ctx):
        self.ranks = Ranks(self.kit.own, self.kit.belief, ctx.reservation_value)
        self.made = []

    def new_offer(self, ctx):
        best = next((n for n in self.ranks.order() if n not in self.made), None)
        if best is None:
            return None
        self.made.append(best)
        return self.kit.space.bids[best]

    def is_good(self, ctx, points):
        own = [self.kit.own.all[n] for n in (*self.made, *self.ranks.order()[:1])]
        return bool(own) and points >= max(min(own), ctx.reservation_value)

    def answer_part(self, ctx, asked):
        return self.put_forward(ctx, "complete_offer" if self.keeps(asked) else "whole_instead")

    def keeps(self, asked):
        return self.standing is not None and all(self.standing[i] == level for i, level in asked.items())
