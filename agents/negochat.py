"""NegoChat and its relatives, which settle a deal in conversation.

Rosenfeld, Zuckerman, Segal-Halevi, Drein and Kraus, "NegoChat: a chat-based negotiation agent" (AAMAS 2014)
and "NegoChat-A: a chat-based negotiation agent with bounded rationality" (Autonomous Agents and Multi-Agent
Systems 30, 2016); and the two agents that came before them. docs/negochat.md describes their strategies, and
the departures from the papers.
"""

from typing import Literal

from pydantic import Field

from negoplatform.agent_api import Expression
from negoplatform.strategies.dialogue import TalkSettings
from negoplatform.strategies.negochat import (
    HURRY_SECONDS,
    BidRanking,
    FullOfferAgent,
    IssueNegotiation,
    KnowledgeBase,
    Move,
    ReplySchedulingAgent,
)

__all__ = ["KbAgent", "Negochat", "NegochatA", "QoAgent"]


class NegochatSettings(TalkSettings):
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
    faces: bool = Field(True, title="Shows emotions")
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

    @property
    def has_standing_proposal(self):
        """Whether it has a proposal that has not been refused."""
        return bool(self.negotiation.proposed_terms) and not self.negotiation.is_stalled

    def answer_complete_offer(self, ctx, bid, answers):
        face = self.show_expression(Expression.SAD)
        return [*face, *self.perform_move(ctx, self.negotiation.propose_next(), answers)]

    def answer_partial_offer(self, ctx, asked, answers):
        return self.perform_move(ctx, self.negotiation.handle_request(asked), answers)

    def answer_agreed_terms(self, ctx, asked):
        if not self.negotiation.open_issues:
            return self.perform_move(ctx, self.negotiation.propose_next())
        taken = self.terms_text(ctx, asked)
        if not self.has_standing_proposal:
            return self.say(ctx, "took_last", terms=taken)
        words = self.say(ctx, "took_terms", terms=taken)
        return [*words, *self.word_proposal(ctx), *self.offer(ctx, self.proposal({}))]

    def continue_after_yes(self, ctx):
        if not self.negotiation.proposed_terms:
            return self.repeat_proposal(ctx)
        return self.perform_move(ctx, self.negotiation.handle_acceptance())

    def answer_rejection(self, ctx, message):
        answer = self.negotiation.handle_refusal()
        return [*self.note_belief(ctx), *self.perform_move(ctx, answer)]

    def answer_compromise(self, ctx, about):
        agreed = self.negotiation.agreed
        still_open = [issue for issue in about if issue not in agreed]
        if about and not still_open:
            return self.answer_agreed_terms(ctx, {issue: agreed[issue] for issue in about})
        return self.perform_move(ctx, self.negotiation.handle_compromise(*still_open[:1]))

    def repeat_proposal(self, ctx, *, in_silence=False):
        if not self.has_standing_proposal:
            return self.perform_move(ctx, self.negotiation.propose_next())
        offer = self.proposal({})
        if ctx.game.is_complete(offer) and offer != self.dialogue.offered_terms(ctx):
            words = self.word_whole(ctx, offer, "")
        else:
            # One part of a deal cannot be accepted, so it does not ask for a yes to it.
            words = self.say(ctx, "idle_prompt") if in_silence else self.word_proposal(ctx)
        return [*words, *self.offer(ctx, offer)]

    def act_on_new_turn(self, ctx):
        """Keep its proposal; where it had none left, lower thresholds may allow one."""
        return [] if self.has_standing_proposal else self.perform_move(ctx, self.negotiation.propose_next())

    def final_proposal(self, ctx):
        bid = self.negotiation.closing_bid()
        return None if bid is None else self.model.space.offer(bid)

    def perform_move(self, ctx, answer, answers=None):
        """Return a move as a message and an offer; ``answers`` is the offer of the other that it answers."""
        talk = self.negotiation
        if answer.move is Move.SIGN:
            return self.sign_agreement(ctx, talk.proposed_bid)
        taken = self.terms_text(ctx, answer.agreed_terms) if answer.agreed_terms else ""
        if answer.move is Move.PASS and not taken:
            return self.reply_stalled(ctx)
        if answer.move is Move.PASS:
            words = self.say(ctx, "took_last", terms=taken)
            return [*words, *self.offer(ctx, self.proposal(answer.agreed_terms))]
        if answer.move is Move.REJECT:
            return self.reject(ctx)
        face = self.show_expression(Expression.HAPPY) if answer.move is Move.ACCEPT else []
        words = self.say(ctx, "took_terms", terms=taken) if taken else []
        offer = self.proposal(answer.agreed_terms)
        if ctx.game.is_complete(offer):
            next_words = self.word_whole(ctx, offer, "", answers)
        else:
            next_words = self.word_proposal(ctx, answer, answers)
        return [*face, *words, *next_words, *self.offer(ctx, offer)]

    def word_proposal(self, ctx, answer=None, answers=None):
        """Return the words for its proposed terms, or for the whole offer that it sends instead."""
        terms = self.negotiation.proposed_terms
        if answer is not None and answer.move is Move.REOPEN:
            self.dialogue.memory.took_back = True
            return self.say(ctx, "take_back", want=self.terms_text(ctx, terms))
        kind = "next_terms" if self.by_issue else "open_terms"
        if answer is not None and answer.move is Move.COUNTER and answers is not None:
            kind = "counter_terms"
        self.by_issue = self.by_issue or bool(terms)
        return self.word_terms(ctx, terms, kind=kind, answers=answers)

    def reject(self, ctx):
        """Return a plain no; its own proposal stands, unless that was refused itself."""
        words = self.say(ctx, "refuse_plain")
        if not self.has_standing_proposal:
            return [*self.show_expression(Expression.SAD), *words]
        again = [*self.word_proposal(ctx), *self.offer(ctx, self.proposal({}))]
        return [*self.show_expression(Expression.SAD), *words, *again]

    def reply_stalled(self, ctx):
        """Say once a turn that it thinks, then once that the other may state its wishes; then wait."""
        self.stalled_replies += 1
        if self.stalled_replies == 1:
            return self.say(ctx, "think_it_over")
        return self.say(ctx, "ask_what_to_change") if self.stalled_replies == 2 else []

    def would_accept(self, ctx, offer):
        bid = self.as_bid(offer)
        good = self.negotiation.is_agreed(bid) or self.negotiation.is_acceptable(bid)
        return good and ctx.utility(offer) >= ctx.reservation_value

    def deal_with(self, ctx, part):
        if ctx.game.is_complete(part):
            return part if self.would_accept(ctx, part) else None
        bid = self.negotiation.best_bid(self.model.space.terms(part))
        return None if bid is None else self.model.space.offer(bid)

    def wanted_offer(self, ctx):
        bid = self.negotiation.proposed_bid or self.negotiation.best_bid()
        return None if bid is None else self.model.space.offer(bid)

    def may_yield(self, ctx):
        return ctx.remaining_time is None or ctx.remaining_time > HURRY_SECONDS

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
        self.opening_seconds = self.settings.anchor_seconds

    def opening(self, ctx):
        self.negotiation.proposed_bid = bid = self.negotiation.best_bid()
        if bid is None:
            return super().opening(ctx)
        words = self.say(ctx, "open_whole")
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

    def answer_partial_offer(self, ctx, asked, answers):
        if not self.knowledge_base.is_acceptable_value(
            self.knowledge_base.expected_points(asked, self.turn), self.turn
        ):
            return self.propose(ctx, answers)
        return self.say(ctx, "ask_rest")


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

    def answer_partial_offer(self, ctx, asked, answers):
        return self.propose(ctx, answers)
