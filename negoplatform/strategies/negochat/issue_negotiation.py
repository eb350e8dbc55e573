"""Agreement built issue by issue: agreed and proposed terms, and their changes by each answer of the other.

The steps carry the numbers of the published algorithm; see docs/negochat.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from operator import itemgetter

from negoplatform.strategies.negochat.belief import Belief
from negoplatform.strategies.negochat.belief_by_seat import BeliefBySeat
from negoplatform.strategies.negochat.bid_space import Bid, BidSpace, BidTerms, BidUtility
from negoplatform.strategies.negochat.bid_thresholds import AspirationLevels, Thresholds

MAX_EASED_TURNS = 2
"""Turns ahead whose threshold an eased one may take, at most."""


class Move(Enum):
    """Next move of the agent."""

    PROPOSE = "propose"
    """Proposes a value for the next issue."""
    ACCEPT = "accept"
    """Agrees to the other's request, and goes on to the next issue."""
    COUNTER = "counter"
    """Refuses it, with another value for the same issues."""
    REOPEN = "reopen"
    """Agrees to it, or keeps its own proposal, and reopens an agreed issue."""
    REJECT = "reject"
    """Refuses it; the state before stands."""
    PASS = "think"
    """Has nothing more to propose in this turn."""
    SIGN = "sign"
    """All issues are agreed."""


@dataclass(frozen=True, slots=True)
class MoveDecision:
    """A move with its terms.

    Args:
        move: The move.
        agreed_terms: The terms to which it agrees.
        reopened: The reopened issue; None if there is none.
    """

    move: Move
    agreed_terms: BidTerms = field(default_factory=dict)
    reopened: int | None = None


class IssueNegotiation:
    """State of a negotiation by issues, and the steps of the algorithm.

    Args:
        space: The bids.
        own: The own side's utility.
        belief: The belief about the other side.
        thresholds: The threshold for every type and turn.
        order: The issues in the order in which they are to be settled: the aspiration order.
        least: The own points of no deal; bids below it are never looked for.
        time_effect: Points that a turn costs the own side.
        eases: Whether a threshold that leaves nothing to propose is lowered within the turn, which is ours
            and not for published thresholds.
    """

    def __init__(
        self,
        space: BidSpace,
        own: BidUtility,
        belief: Belief | BeliefBySeat,
        thresholds: Thresholds,
        order: Sequence[int],
        *,
        least: float,
        time_effect: float = 0.0,
        eases: bool = False,
    ) -> None:
        self.space = space
        self.belief = belief
        self.turn = 1
        self.agreed: BidTerms = {}
        """Stack of agreed terms, the first agreed first."""
        self.proposed_terms: BidTerms = {}
        """Terms that are proposed now."""
        self.proposed_bid: Bid | None = None
        """Bid behind the proposed terms."""
        self.is_stalled = False
        """Whether the proposal was refused and no other was found."""
        self._own = own
        self._thresholds = thresholds
        self._order = list(order)
        self._least = least
        self._time_effect = time_effect
        self._eases = eases
        self._eased_turns = 0
        self._excluded: set[tuple[int, int]] = set()
        self._refused: set[tuple[int, int]] = set()
        self._welcome_terms: set[tuple[int, int]] = set()
        self._built_for = (1, belief.current)
        self._clustered: list[Bid] = []
        self._clustered_for = (0, 0)

    @property
    def aspiration(self) -> AspirationLevels:
        """Thresholds that a bid has to exceed now."""
        return self._thresholds.at(self.belief.current, self.turn + self._eased_turns)

    @property
    def time_cost(self) -> float:
        """Points that time has cost the own side, as the thresholds count it: the current turn included."""
        return self.turn * self._time_effect

    def enter_turn(self, turn: int) -> None:
        """Enter a turn; in a new one all bids are considered again, those with refused values too."""
        self.turn = turn
        if self._built_for[0] != turn:
            self._eased_turns = 0
            self._refused.clear()
            self._rebuild()

    def is_acceptable(self, bid: Bid) -> bool:
        """Return whether a complete bid is good enough to accept, by the threshold of the current type."""
        return self.is_acceptable_value(self._own.of(bid))

    def is_acceptable_value(self, points: float) -> bool:
        """Return whether the points of a bid, or of an offer that may be a deal as it is, are enough."""
        return points >= self._least and points - self.time_cost >= self.aspiration.own

    def best_bid(self, fixed: BidTerms | None = None, *, unlike: BidTerms | None = None) -> Bid | None:
        """Return the own best bid of the cluster that keeps the agreed and the fixed terms: findValue.

        Where there is none, and the agreed terms hold a welcome value that the other proposed itself, the
        type's threshold is dropped: of the bids over the own threshold it is the type's best.

        Args:
            fixed: More terms that it has to keep.
            unlike: Terms of which it may keep none.

        Returns:
            The bid, of ties the best for the current type; None if there is none.
        """
        kept = {**self.agreed, **(fixed or {})}
        excluded = self._excluded | self._refused | set((unlike or {}).items())
        bid = self._best_of_cluster(kept, excluded)
        if bid is None and not self._welcome_terms.isdisjoint(kept.items()):
            return self._best_over(kept, excluded, float("-inf"), own_first=False)
        return bid

    def _best_of_cluster(self, kept: BidTerms, excluded: set[tuple[int, int]]) -> Bid | None:
        if not self.space.complete:
            return self._best_over(kept, excluded, self.aspiration.other)
        # A single comparison tests all kept terms at once.
        part = itemgetter(*kept) if kept else None
        wanted = part([kept.get(i) for i in range(len(self._order))]) if part is not None else None
        for bid in self._cluster():
            if (part is None or part(bid) == wanted) and not _contains_any(bid, excluded):
                return bid
        return None

    def closing_bid(self) -> Bid | None:
        """Return a whole to settle on when time is short, which is ours: with the agreed and proposed terms.

        Of the bids of the cluster with these terms, it is the one with the greatest product of both sides'
        gains, the own side's above no deal and the type's above its worst. One without a value that the other
        has refused in this turn takes precedence; where none has all terms, the agreed ones count.
        """
        if not self.space.complete:
            return self.best_bid(self.proposed_terms) or self.best_bid()
        other = self.belief.type.utility
        for kept in ({**self.proposed_terms, **self.agreed}, self.agreed):
            fitting = [bid for bid in self._cluster() if all(bid[i] == level for i, level in kept.items())]
            if fitting:
                return max(
                    [bid for bid in fitting if not _contains_any(bid, self._refused)] or fitting,
                    key=lambda bid: (self._own.of(bid) - self._least) * (other.of(bid) - other.lowest),
                )
        return None

    def propose_next(self) -> MoveDecision:
        """Propose a value for the first open issue (steps 4 and 5); if none is open, sign."""
        if not self.open_issues:
            self.proposed_terms, self.proposed_bid = {}, self._agreed_bid()
            return MoveDecision(Move.SIGN)
        bid = self.best_bid()
        if bid is None:
            self._rebuild()
            bid = self.best_bid()
        if bid is None:
            return self._reopen_agreed({}, {}) or self._pass_turn()
        self._put_forward({self.open_issues[0]: bid[self.open_issues[0]]}, bid)
        return MoveDecision(Move.PROPOSE)

    @property
    def open_issues(self) -> list[int]:
        """Issues that are not agreed, the first to be settled first."""
        return [issue for issue in self._order if issue not in self.agreed]

    def has_agreed(self, terms: BidTerms) -> bool:
        """Return whether all of these terms are agreed already."""
        return all(self.agreed.get(issue) == level for issue, level in terms.items())

    def is_agreed(self, bid: Bid) -> bool:
        """Return whether a complete bid consists of the agreed and proposed terms, and nothing else."""
        settled = {**self.proposed_terms, **self.agreed}
        return len(settled) == len(bid) and all(bid[issue] == level for issue, level in settled.items())

    def handle_acceptance(self) -> MoveDecision:
        """Handle the acceptance of the proposal (step 6)."""
        taken = self._agree(self.proposed_terms)
        answer = self.propose_next()
        return MoveDecision(answer.move, taken, answer.reopened)

    def handle_request(self, asked: BidTerms) -> MoveDecision:
        """Handle a partial offer (steps 6 and 8): its repeated, accepted and new terms."""
        new = {issue: level for issue, level in asked.items() if self.agreed.get(issue) != level}
        if not new:
            return self.propose_next()
        self._refused -= set(new.items())
        if not self.proposed_terms or any(
            new.get(issue) != level for issue, level in self.proposed_terms.items()
        ):
            return self.handle_partial_offer(new)
        rest = {issue: level for issue, level in new.items() if issue not in self.proposed_terms}
        if not rest:
            return self.handle_acceptance()
        taken = self._agree(self.proposed_terms)
        answer = self.handle_partial_offer(rest)
        kept = {issue: level for issue, level in taken.items() if self.agreed.get(issue) == level}
        return MoveDecision(answer.move, {**kept, **answer.agreed_terms}, answer.reopened)

    def handle_complete_offer(self, bid: Bid) -> bool:
        """Learn from a complete bid of the other (step 7), and return whether it is accepted."""
        self.belief.observe_offer(bid, self.turn)
        self._follow_type()
        return self.is_acceptable(bid)

    def handle_partial_offer(self, asked: BidTerms) -> MoveDecision:
        """Handle the other's request for values of some issues (step 8)."""
        before = dict(self.agreed)
        for issue in asked:
            self.agreed.pop(issue, None)  # a
        # The cluster holds the bids over the threshold, so b and c need not check that again.
        if self.best_bid(asked) is not None:  # b
            return self._accept(asked)
        self._rebuild()
        if self.best_bid(asked) is not None or self._is_no_worse(asked, before):  # c
            return self._accept(asked)
        self._excluded |= set(asked.items())
        bid = self.best_bid()
        if bid is not None:  # d
            self._put_forward({issue: bid[issue] for issue in asked}, bid)
            return MoveDecision(Move.COUNTER)
        self._rebuild()
        reopened = self._reopen_agreed(asked, asked)  # e
        if reopened is None:
            self.agreed = before  # f
            return MoveDecision(Move.REJECT)
        return reopened

    def handle_refusal(self) -> MoveDecision:
        """Handle the refusal of the proposal (step 9)."""
        if self.proposed_bid is not None:
            self.belief.observe_refusal(self.proposed_bid)
            self._follow_type()
        return (
            self._replace_refused(dict(self.proposed_terms))
            if self.proposed_terms or self.agreed
            else self.propose_next()
        )

    def handle_compromise(self, issue: int | None = None) -> MoveDecision:
        """Handle a request for a compromise: the first issue under discussion, without its last value.

        Args:
            issue: The open issue that it names, which is ours; None if it names none.
        """
        if issue is not None and issue not in self.proposed_terms:
            hoped = self.proposed_bid or self.best_bid()
            self.proposed_terms = {issue: self._own.best_level(issue) if hoped is None else hoped[issue]}
        first = next(iter(self.proposed_terms), None) if issue is None else issue
        if first is None:
            return self._replace_refused({}) if self.agreed else self.propose_next()
        return self._replace_refused({first: self.proposed_terms[first]})

    def _replace_refused(self, refused: BidTerms) -> MoveDecision:
        """Return another value in place of the refused one; else reopen an agreed issue."""
        self._refused |= set(refused.items())
        bid = self.best_bid() if refused else None
        if bid is not None:
            self._put_forward({issue: bid[issue] for issue in self.proposed_terms}, bid)
            return MoveDecision(Move.COUNTER)
        self._rebuild()
        return self._reopen_agreed({}, self.proposed_terms) or self._pass_turn()

    def _pass_turn(self) -> MoveDecision:
        """Pass for this turn; a threshold that may be eased is from now on that of the turn after."""
        self.is_stalled = True
        if self._eases and self._eased_turns < MAX_EASED_TURNS:
            self._eased_turns += 1
        return MoveDecision(Move.PASS)

    def _reopen_agreed(self, taken: BidTerms, goal: BidTerms) -> MoveDecision | None:
        """Give up agreed terms, the last first, until a bid is found; None, and no change, if none is.

        Args:
            taken: The other's requested terms; the bid has to keep them, and they are agreed then.
            goal: The further terms under discussion; its new values are proposed with the reopened issue.
        """
        before, excluded = dict(self.agreed), set(self._excluded)
        while self.agreed:
            issue, level = self.agreed.popitem()
            self._excluded.add((issue, level))
            bid = self.best_bid(taken)
            if bid is not None:
                self._agree(taken)
                own = [i for i in goal if i not in taken]
                self._put_forward({i: bid[i] for i in [*own, issue]}, bid)
                return MoveDecision(Move.REOPEN, dict(taken), issue)
        self.agreed, self._excluded = before, excluded
        return None

    def _is_no_worse(self, asked: BidTerms, before: BidTerms) -> bool:
        """Return whether the other's requested terms are no worse for it than those before, which is ours.

        The published rule refuses a request that suits the agent even better than its own proposal, where the
        assumed type would not have made it. There is no need to guess whether the other side likes its own
        request: a bid with it over the own threshold is enough.

        Args:
            asked: The requested terms.
            before: The terms agreed until then.
        """
        hoped = dict(enumerate(self.proposed_bid or self.best_bid() or ())) | before | self.proposed_terms
        for issue, level in asked.items():
            own = [hoped[issue]] if issue in hoped else range(len(self.space.levels(issue)))
            if self._own.level_utility(issue, level) < max(self._own.level_utility(issue, n) for n in own):
                return False
        if self._best_over({**self.agreed, **asked}, set(), float("-inf")) is None:
            return False
        self._welcome_terms |= set(asked.items())
        return True

    def _accept(self, asked: BidTerms) -> MoveDecision:
        self._agree(asked)
        answer = self.propose_next()
        if answer.move is Move.PROPOSE:
            return MoveDecision(Move.ACCEPT, dict(asked))
        return MoveDecision(answer.move, dict(asked), answer.reopened)

    def _agree(self, terms: BidTerms) -> BidTerms:
        """Push terms onto the stack of agreed ones."""
        taken = dict(terms)
        for issue, level in taken.items():
            self.agreed.pop(issue, None)
            self.agreed[issue] = level
        self.proposed_terms, self.proposed_bid, self.is_stalled = {}, None, False
        return taken

    def _put_forward(self, goal: BidTerms, bid: Bid) -> None:
        self.proposed_terms, self.proposed_bid, self.is_stalled = goal, bid, False

    def _agreed_bid(self) -> Bid:
        return tuple(self.agreed[issue] for issue in range(len(self.agreed)))

    def _rebuild(self) -> None:
        """Consider every bid again, whatever was removed before, except for the other's refusals."""
        self._excluded.clear()
        self._built_for = (self.turn, self.belief.current)

    def _follow_type(self) -> None:
        if self._built_for[1] != self.belief.current:
            self._rebuild()

    def _cluster(self) -> list[Bid]:
        """Return the bids over the threshold of this turn and type, the own best first; ties by the type."""
        now = self.turn + self._eased_turns, self.belief.current
        if now != self._clustered_for:
            own, other, bar = self._own.values, self.belief.type.utility.values, self.aspiration.other
            least = self._least_points
            found = [n for n, (u, v) in enumerate(zip(own, other, strict=True)) if u > least and v > bar]
            found.sort(key=lambda n: (-own[n], -other[n]))
            self._clustered = [self.space.bids[n] for n in found]
            self._clustered_for = now
        return self._clustered

    @property
    def _least_points(self) -> float:
        """Own points that a bid has to exceed."""
        return max(self.aspiration.own + self.time_cost, self._least - 1e-9)

    def _best_over(
        self, kept: BidTerms, excluded: set[tuple[int, int]], floor: float, *, own_first: bool = True
    ) -> Bid | None:
        """Return the best of all bids over the own threshold, sampled ones with the kept terms inserted.

        Args:
            kept: Terms that it keeps.
            struck: Values that it must not contain.
            floor: Points that it has to exceed for the type.
            own_first: Whether it is the own best, else the type's; the other side breaks ties.
        """
        own, other, least = self._own, self.belief.type.utility, self._least_points
        best: tuple[float, float] | None = None
        found: Bid | None = None
        for bid in self.space.bids:
            if kept:
                bid = tuple(kept.get(i, level) for i, level in enumerate(bid))
            u = own.of(bid)
            if u <= least or (own_first and best is not None and u < best[0]) or _contains_any(bid, excluded):
                continue
            v = other.of(bid)
            worth = (u, v) if own_first else (v, u)
            if v > floor and (best is None or worth > best):
                best, found = worth, bid
        return found


def _contains_any(bid: Bid, excluded: set[tuple[int, int]]) -> bool:
    """Return whether a bid contains an excluded value of the same issue."""
    return any(bid[issue] == level for issue, level in excluded)
