"""NegoChat and its relatives, which settle a deal in conversation.

Rosenfeld, Zuckerman, Segal-Halevi, Drein and Kraus, "NegoChat: a chat-based negotiation agent" (AAMAS 2014)
and "NegoChat-A: a chat-based negotiation agent with bounded rationality" (Autonomous Agents and Multi-Agent
Systems 30, 2016); and the two agents that came before them. docs/negochat.md describes their strategies, and
the departures from the papers.
"""

from typing import Literal

from pydantic import BaseModel, Field

from negoplatform.agent_api import EMPTY_OFFER, Expression, MessageSubtype, languages
from negoplatform.strategies.negochat import (
    BidRanking,
    FullOfferAgent,
    IssueNegotiation,
    KnowledgeBase,
    Move,
    ReplySchedulingAgent,
)

__all__ = ["KbAgent", "Negochat", "NegochatA", "QoAgent"]


class NegochatSettings(BaseModel):
    """Settings of all four."""

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


class Negochat(ReplySchedulingAgent):
    """Settles one issue after the other: proposes a value, takes what fits, and goes back where nothing does.

    It assumes that the other side is one of a few types, and learns which from offers and refusals.
    Agreements in words are not binding; when all is agreed it sends the whole as one offer and signs that.
    Where a part could be a deal, or more than two sit at the table, it sends the whole bid behind each
    proposal.
    """

    Settings = NegochatSettings

    def get_name(self):
        return self.get_config("name", "Alex")

    def begin(self, ctx):
        model = self.model
        self.negotiation = IssueNegotiation(
            model.space,
            model.own,
            model.belief,
            model.thresholds,
            model.order,
            least=ctx.reservation_value,
            time_effect=model.time_effect,
            eases=model.threshold_source == "computed",
        )
        self.by_issue = False
        self.stalled_replies = 0
        self.sends_complete_offers = ctx.game.rules.allow_partial or len(ctx.game.seats) > 2

    def set_turn(self, turn):
        self.negotiation.enter_turn(turn)

    def reset_turn(self):
        super().reset_turn()
        self.stalled_replies = 0

    def opening(self, ctx):
        return self.perform_move(ctx, self.negotiation.propose_next())

    def evaluate_offer(self, ctx, bid):
        return self.negotiation.handle_complete_offer(bid)

    def is_agreed(self, bid):
        return self.negotiation.is_agreed(bid)

    def has_agreed(self, asked):
        return self.negotiation.has_agreed(asked)

    def is_acceptable(self, ctx):
        return self.negotiation.is_acceptable_value(ctx.get_agent_utility())

    def position(self):
        return tuple(self.negotiation.agreed.items()), tuple(self.negotiation.proposed_terms.items())

    def position_text(self, ctx):
        return self.terms_text(ctx, self.negotiation.proposed_terms) if self.has_standing_proposal else ""

    @property
    def has_standing_proposal(self):
        """Whether it has a proposal that has not been refused."""
        return bool(self.negotiation.proposed_terms) and not self.negotiation.is_stalled

    def answer_complete_offer(self, ctx, bid):
        return [
            *self.show_expression(Expression.SAD),
            *self.perform_move(ctx, self.negotiation.propose_next(), "whole_refused"),
        ]

    def answer_partial_offer(self, ctx, asked):
        return self.perform_move(ctx, self.negotiation.handle_request(asked), countering="issue_counter")

    def answer_agreed_terms(self, ctx, asked):
        if not self.negotiation.open_issues:
            return self.perform_move(ctx, self.negotiation.propose_next())
        taken = self.terms_text(ctx, asked)
        if not self.has_standing_proposal:
            return self.say(ctx, "issue_settled", MessageSubtype.CONFIRMATION, terms=taken)
        terms = self.terms_text(ctx, self.negotiation.proposed_terms)
        words = self.say(ctx, "issue_settled_next", MessageSubtype.CONFIRMATION, taken=taken, terms=terms)
        return [*words, *self.offer(ctx, self.proposal({}))]

    def answer_acceptance(self, ctx):
        if not self.negotiation.proposed_terms:
            return self.repeat_proposal(ctx, "repeat_asked", MessageSubtype.CLARIFICATION)
        return self.perform_move(ctx, self.negotiation.handle_acceptance())

    def answer_rejection(self, ctx):
        answer = self.negotiation.handle_refusal()
        return [*self.note_belief(ctx), *self.perform_move(ctx, answer)]

    def answer_compromise(self, ctx, about):
        agreed = self.negotiation.agreed
        still_open = [issue for issue in about if issue not in agreed]
        if about and not still_open:
            return self.answer_agreed_terms(ctx, {issue: agreed[issue] for issue in about})
        return self.perform_move(ctx, self.negotiation.handle_compromise(*still_open[:1]))

    def answer_query(self, ctx, about, *, least):
        agreed, best = self.negotiation.agreed, self.negotiation.best_bid()
        order = self.model.order
        issue = (about or (order[-1:] if least else self.negotiation.open_issues or order))[0]
        if issue in agreed and about:
            words = self.terms_text(ctx, {issue: agreed[issue]})
            return self.say(ctx, "issue_settled", MessageSubtype.CONFIRMATION, terms=words)
        if least and not about:
            return self.say(ctx, "need_least", MessageSubtype.CLARIFICATION, issue=self.title(ctx, issue))
        kind = "issue_wish" if about else "need_most"
        return self.state_preferred_term(
            ctx, kind, issue, self.model.own.best_level(issue) if best is None else best[issue]
        )

    def repeat_proposal(self, ctx, kind, subtype):
        if not self.has_standing_proposal:
            return self.perform_move(ctx, self.negotiation.propose_next())
        words = self.say(ctx, kind, subtype, terms=self.terms_text(ctx, self.negotiation.proposed_terms))
        return [*words, *self.offer(ctx, self.proposal({}))]

    def act_on_new_turn(self, ctx):
        """Keep its proposal; where it had none left, lower thresholds may allow one."""
        return [] if self.has_standing_proposal else self.perform_move(ctx, self.negotiation.propose_next())

    def final_proposal(self, ctx):
        bid = self.negotiation.closing_bid()
        return None if bid is None else self.model.space.offer(bid)

    def perform_move(self, ctx, answer, proposing=None, countering=None):
        """Return a move as a message and an offer.

        ``proposing`` is the kind of message for a value of the next issue, and ``countering`` that for
        another value in place of the requested one; None where the other has requested nothing.
        """
        talk, subtype = self.negotiation, MessageSubtype.OFFER_PROPOSE
        if answer.move is Move.SIGN:
            return self.sign_agreement(ctx, talk.proposed_bid)
        taken = self.terms_text(ctx, answer.agreed_terms) if answer.agreed_terms else ""
        if answer.move is Move.PASS and not taken:
            return self.reply_stalled(ctx)
        face, kind = [], "issue_taken" if taken else proposing or self.new_proposal_kind()
        match answer.move:
            case Move.PROPOSE if taken:
                kind = "issue_next"
            case Move.ACCEPT:
                face = self.show_expression(Expression.HAPPY)
            case Move.COUNTER:
                kind = self.changed_proposal_kind(ctx) or countering or self.new_proposal_kind()
            case Move.REOPEN:
                kind = "issue_reopened" if taken else "issue_taken_up_again"
            case Move.REJECT:
                return self.reject(ctx)
            case Move.PASS:
                kind = "issue_taken_thinking"
        if kind in (self.unchanged_kind, "issue_counter"):
            subtype = MessageSubtype.OFFER_REJECT
        self.by_issue = self.by_issue or bool(talk.proposed_terms)
        terms = self.terms_text(ctx, talk.proposed_terms) if talk.proposed_terms else ""
        words = self.say(ctx, kind, subtype, terms=terms, taken=taken)
        return [*face, *words, *self.offer(ctx, self.proposal(answer.agreed_terms))]

    def reject(self, ctx):
        """Return a plain no; its own proposal stands, unless that was refused itself."""
        kind = self.unchanged_kind if self.has_standing_proposal else "reject_offer"
        words = self.say(ctx, kind, MessageSubtype.OFFER_REJECT, terms=self.position_text(ctx))
        again = self.offer(ctx, self.proposal({})) if self.has_standing_proposal else []
        return [*self.show_expression(Expression.SAD), *words, *again]

    def new_proposal_kind(self):
        """Return the kind of message for a proposal that answers no request of the other."""
        return "issue_idea" if self.by_issue else "issue_first"

    def changed_proposal_kind(self, ctx):
        """Return the kind of message for the same proposal again, or for a worse one for it; else None."""
        own, goal = self.model.own, self.negotiation.proposed_terms
        last = self.model.space.terms(ctx.board.latest.get(ctx.seat, EMPTY_OFFER))
        before = {issue: last[issue] for issue in goal if issue in last}
        if before == goal:
            return self.unchanged_kind
        less = sum(own.level_utility(*term) for term in goal.items()) < sum(
            own.level_utility(*term) for term in before.items()
        )
        return "issue_gives_way" if less and before.keys() == goal.keys() else None

    def reply_stalled(self, ctx):
        """Say once a turn that it thinks, then once that the other may state its wishes; then wait."""
        self.stalled_replies += 1
        if self.stalled_replies == 1:
            return self.say(ctx, "think_it_over", MessageSubtype.TIMING_INFO)
        return (
            self.say(ctx, "ask_what_to_change", MessageSubtype.TIMING_INFO)
            if self.stalled_replies == 2
            else []
        )

    def proposal(self, taken):
        """Return the offer to send: the terms just agreed and its proposal, or a whole."""
        whole = (
            self.negotiation.closing_bid()
            if self.deadline_announced
            else self.negotiation.proposed_bid
            if self.sends_complete_offers
            else None
        )
        if whole is not None:
            return self.model.space.offer(whole)
        return self.model.space.offer({**taken, **self.negotiation.proposed_terms})


class NegochatA(Negochat):
    """Negochat that first asks for the best deal it could hope for, and then settles issue by issue.

    The anchor is a complete offer about five seconds after the start: of the bids that are good enough for
    both sides by its thresholds, the best for itself.
    """

    class Settings(NegochatSettings):
        anchor_seconds: float = Field(5.0, ge=1, le=60, title="Seconds before its first offer")

    def get_name(self):
        return self.get_config("name", "Ariel")

    def configure(self, config):
        super().configure(config)
        self.opening_seconds = self.settings.anchor_seconds - 1  # it greets a second after the start

    def opening(self, ctx):
        self.negotiation.proposed_bid = bid = self.negotiation.best_bid()
        if bid is None:
            return super().opening(ctx)
        words = self.say(ctx, "anchor", MessageSubtype.OFFER_PROPOSE)
        return [*words, *self.offer(ctx, self.model.space.offer(bid))]


class KbAgent(FullOfferAgent):
    """Makes one complete offer for each turn and type, every second turn, and accepts by the same thresholds.

    A partial offer is worth what it decides and the average of the rest; if that is enough, it asks for the
    whole, else for something better. It refuses what is no better than what the other has already agreed to.
    """

    Settings = NegochatSettings

    def get_name(self):
        return self.get_config("name", "Kim")

    def begin(self, ctx):
        self.knowledge_base, self.agreed_utility = KnowledgeBase(self.model, ctx.reservation_value), None

    def is_too_early(self):
        return self.standing_bid is not None and self.turn < self.offered_turn + 2

    def new_offer(self, ctx):
        return self.knowledge_base.offer(self.turn)

    def record_verbal_acceptance(self, ctx):
        self.agreed_utility = ctx.get_agent_utility()

    def is_acceptable_value(self, ctx, points):
        return self.knowledge_base.is_acceptable_value(points, self.turn) and (
            self.agreed_utility is None or points > self.agreed_utility
        )

    def answer_partial_offer(self, ctx, asked):
        if not self.knowledge_base.is_acceptable_value(
            self.knowledge_base.expected_points(asked, self.turn), self.turn
        ):
            return self.propose(ctx, "whole_instead")
        return self.say(ctx, "whole_wanted", MessageSubtype.OFFER_REQUEST_POS)


class QoAgent(FullOfferAgent):
    """Offers, once a turn, what ranks highest for the side that it ranks lowest for, and learns who that is.

    The other side's rank of a bid is its probability of acceptance. It accepts an offer that is worth as much
    to it as the one that it would make next, or has made.
    """

    Settings = NegochatSettings

    def get_name(self):
        return self.get_config("name", "Quinn")

    def begin(self, ctx):
        self.ranking = BidRanking(self.model.own, self.model.belief, ctx.reservation_value)
        self.offered_bids = []

    def new_offer(self, ctx):
        best = next((n for n in self.ranking.order() if n not in self.offered_bids), None)
        if best is None:
            return None
        self.offered_bids.append(best)
        return self.model.space.bids[best]

    def is_acceptable_value(self, ctx, points):
        own = [self.model.own.values[n] for n in (*self.offered_bids, *self.ranking.order()[:1])]
        return bool(own) and points >= max(min(own), ctx.reservation_value)

    def answer_partial_offer(self, ctx, asked):
        return self.propose(ctx, "complete_offer" if self.standing_bid_keeps(asked) else "whole_instead")

    def standing_bid_keeps(self, asked):
        return self.standing_bid is not None and all(
            self.standing_bid[i] == level for i, level in asked.items()
        )
