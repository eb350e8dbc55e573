"""Mechanism of NegMAS that follows a session of ours: the only module that imports NegMAS.

The session decides, and the mechanism repeats: a step of the mechanism is one offer of the session, in the
order of the session, at the time of the session. So a negotiator reads the same state, history and interface
(``nmi``) as in a ``SAOMechanism`` of NegMAS with ``one_offer_per_step``, and is called by it.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Literal

import numpy as np
from negmas.outcomes import make_issue, make_os
from negmas.preferences import MappingUtilityFunction
from negmas.sao import ResponseType, SAOMechanism, SAONegotiator, SAOResponse

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.errors import AgentError
from negoplatform.domain.issue import Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat

Answer = Offer | Literal["accept", "end"]
"""Decision of a negotiator: an offer, the acceptance of the one on the table, or the end."""

PLACES = ("negmas.sao", "negmas.gb.negotiators", "negmas.genius.gnegotiators", "negmas")
"""Modules in which a negotiator is looked for by its name alone."""


def negotiator_class(name: str) -> type[Any]:
    """Return the class of a negotiator.

    Args:
        name: A name in NegMAS, or ``module.Class``; the module may also be named from ``negmas`` on.

    Raises:
        AgentError: If there is no such class, or it is no negotiator that can be made.
    """
    module, _, own = name.rpartition(".")
    found = _class_in(module, own) if module else _class_by_name(name)
    if not inspect.isclass(found) or not hasattr(found, "propose"):
        raise AgentError(f"{name} is no negotiator of NegMAS; name a class with a method propose.")
    if any(base.__name__ == "GeniusNegotiator" for base in found.__mro__):
        raise AgentError(
            f"{name} is an agent of Genius in Java; NegMAS asks it over a network connection, which an "
            "agent's process does not have. Name a negotiator in Python."
        )
    if inspect.isabstract(found):
        raise AgentError(f"{name} of NegMAS is a base class; name a negotiator that is made from it.")
    return found


def make_negotiator(name: str, parameters: Mapping[str, Any]) -> Any:
    """Return a new negotiator without preferences.

    Args:
        name: Its class, as for :func:`negotiator_class`.
        parameters: Arguments of its constructor.

    Raises:
        AgentError: If there is no such class, or its constructor fails with these arguments.
    """
    made_by = negotiator_class(name)
    try:
        return made_by(**parameters)
    except Exception as error:
        raise AgentError(
            f"{name} of NegMAS cannot be made with the parameters {dict(parameters)!r}: {error}"
        ) from error


def _class_in(module: str, name: str) -> Any:
    missing: list[str] = []
    for place in (module, f"negmas.{module}"):
        try:
            there = import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not (place == error.name or place.startswith(f"{error.name}.")):
                raise
            missing.append(error.name)
            continue
        if not hasattr(there, name):
            raise AgentError(f"The module {place} has no negotiator {name!r}.{_similar(name, [there])}")
        return getattr(there, name)
    raise AgentError(f"There is no Python module {missing[0]!r} here; install the package that has it.")


def _class_by_name(name: str) -> Any:
    modules = [import_module(place) for place in PLACES]
    for module in modules:
        if hasattr(module, name):
            return getattr(module, name)
    raise AgentError(f"NegMAS has no negotiator {name!r}.{_similar(name, modules)}")


def _similar(name: str, modules: Sequence[Any]) -> str:
    """Return a sentence with negotiators whose names are similar; empty if there are none."""
    there = {other for module in modules for other in dir(module) if other.endswith("Negotiator")}
    near = get_close_matches(name, sorted(there), n=3, cutoff=0.5)
    return f" There is {', '.join(near)}." if near else ""


class OutcomeMap:
    """Translation between complete offers of a game of two seats and outcomes of NegMAS.

    An outcome has one value per issue, in the game's order: the own units of a quantity issue, the value of a
    categorical one, the number of a number issue.

    Args:
        issues: The issues.
        seat: The own seat.
        other: The other seat.
    """

    def __init__(self, issues: Sequence[Issue], seat: Seat, other: Seat) -> None:
        self._issues = tuple(issues)
        self._terms: list[dict[Any, Term]] = [_terms_by_value(issue, seat, other) for issue in issues]
        self._values: dict[str, dict[Any, Any]] = {
            issue.name: {term: value for value, term in terms.items()}
            for issue, terms in zip(issues, self._terms, strict=True)
        }

    def outcome_space(self) -> Any:
        """Return the outcome space of NegMAS."""
        return make_os(
            [
                make_issue((0, issue.quantity), name=issue.name)
                if isinstance(issue, QuantityIssue)
                else make_issue(list(terms), name=issue.name)
                for issue, terms in zip(self._issues, self._terms, strict=True)
            ]
        )

    def offer(self, outcome: Any) -> Offer:
        """Return the offer of an outcome.

        Raises:
            AgentError: If it is none of this game.
        """
        values = list(outcome.values() if isinstance(outcome, Mapping) else outcome)
        try:
            terms = [terms[value] for terms, value in zip(self._terms, values, strict=True)]
        except (KeyError, TypeError, ValueError):
            raise AgentError(f"It proposed {outcome!r:.200}, which is no outcome of this game.") from None
        return Offer({issue.name: term for issue, term in zip(self._issues, terms, strict=True)})

    def outcome(self, offer: Offer) -> tuple[Any, ...]:
        """Return the outcome of a complete offer."""
        return tuple(self._values[issue.name][offer.get(issue.name)] for issue in self._issues)


def _terms_by_value(issue: Issue, seat: Seat, other: Seat) -> dict[Any, Term]:
    """Return the terms of an issue by the values that stand for them in NegMAS."""
    match issue:
        case QuantityIssue(quantity=quantity):
            return {own: Allocation([(seat, own), (other, quantity - own)]) for own in range(quantity + 1)}
        case NumberIssue(values=numbers) if not all(isinstance(number, int) for number in numbers):
            # An issue of NegMAS has values of one type.
            return {float(number): number for number in numbers}
        case _:
            return {value: value for value in issue.values}


class _OtherSeat(SAONegotiator):  # type: ignore[misc]  # NegMAS has no types here
    """Negotiator of NegMAS in the other seat; its offers come from the session."""

    def propose(self, state: Any, dest: str | None = None) -> None:
        """Propose nothing: only ever called if the session has no offer for it."""


class _FollowingMechanism(SAOMechanism):  # type: ignore[misc]  # NegMAS has no types here
    """Mechanism whose clock is the session's, and in which either seat may be the next.

    Args:
        seconds: Most seconds of the session; infinite: no limit.
        offers: Most offers of the session; None: no limit.
    """

    def __init__(self, outcome_space: Any, *, seconds: float, offers: int | None) -> None:
        self.session_time = 0.0
        self.progress = 0.0
        super().__init__(
            outcome_space=outcome_space,
            time_limit=seconds,
            # One more, because the last offer is still answered.
            n_steps=None if offers is None else offers + 1,
            one_offer_per_step=True,
            # Answers are limited by the process: NegMAS' own limit would take a thread for each.
            sync_calls=True,
        )

    @property
    def time(self) -> float:
        """Session time in seconds."""
        return self.session_time

    @property
    def remaining_time(self) -> float | None:
        """Seconds of session time until the deadline; None without one."""
        limit: float = self.nmi.time_limit
        return None if limit == float("inf") else max(0.0, limit - self.session_time)

    def _relative_time_for(self, nmi: Any) -> float:  # noqa: ARG002 - the signature that is overridden
        return self.progress

    def step_of(self, index: int, response: Any = None) -> Any:
        """Play one step of a seat and return the state after it.

        Args:
            index: The seat: 0 the negotiator, 1 the other one.
            response: What the seat does; None: it is asked.
        """
        state = self._current_state
        # A deal may have been accepted here that the other seat then did not confirm.
        state.agreement, state.broken, state.timedout = None, False, False
        state.running = state.started
        state.time, state.relative_time = self.session_time, self.progress
        self._last_checked_negotiator = index - 1
        return self.step(None if response is None else {self.negotiator_ids[index]: response})


class NegotiatorSession:
    """A negotiator in a session: it is told each offer of the other seat, and asked for its answers.

    Everything random of Python and NumPy in this process is seeded from the seat's random numbers.

    Args:
        name: The negotiator's class, as for :func:`negotiator_class`.
        parameters: Arguments of its constructor.
        ctx: The context at the start.

    Raises:
        AgentError: If the negotiator cannot be made.
    """

    def __init__(self, name: str, parameters: Mapping[str, Any], ctx: AgentContext) -> None:
        random.seed(ctx.rng.getrandbits(64))
        np.random.seed(ctx.rng.getrandbits(32))
        (other,) = ctx.game.others(ctx.seat)
        rules = ctx.game.rules
        self._outcomes = OutcomeMap(ctx.issues, ctx.seat, other)
        space = self._outcomes.outcome_space()
        # A negotiator has one clock: offers where they end the game, otherwise time.
        seconds = None if rules.deadline_offers is not None else rules.deadline_seconds
        self._mechanism = _FollowingMechanism(
            space, seconds=float("inf") if seconds is None else seconds, offers=rules.deadline_offers
        )
        negotiator = make_negotiator(name, parameters)
        if not self._mechanism.add(negotiator, preferences=self._utility_function(ctx, space)):
            raise AgentError(f"{name} of NegMAS does not take part in a mechanism of alternating offers.")
        self._mechanism.add(_OtherSeat())

    def _utility_function(self, ctx: AgentContext, space: Any) -> Any:
        """Return the seat's points as a utility function of NegMAS, from 0 (worst outcome) to 1 (best)."""
        utility = ctx.game.preferences[ctx.seat].utility
        lowest, span = utility.lowest, (utility.highest - utility.lowest) or 1
        known: dict[Any, float] = {}

        def scaled(outcome: Any) -> float:
            if outcome not in known:
                known[outcome] = (utility(self._outcomes.offer(outcome)) - lowest) / span
            return known[outcome]

        reserved = (ctx.reservation_value - lowest) / span
        return MappingUtilityFunction(mapping=scaled, reserved_value=reserved, outcome_space=space)

    def record_offer(self, ctx: AgentContext, offer: Offer) -> None:
        """Play an offer of the other seat; a partial one is no outcome, and leaves none on the table."""
        if ctx.game.is_complete(offer):
            response = SAOResponse(ResponseType.REJECT_OFFER, self._outcomes.outcome(offer))
        else:
            response = SAOResponse(ResponseType.REJECT_OFFER, None, {"text": "partial offer"})
        self._follow(ctx)
        self._mechanism.step_of(1, response)

    def ask(self, ctx: AgentContext) -> Answer:
        """Return the negotiator's answer to the offer on the table, or its opening offer.

        Raises:
            AgentError: If it proposes what is no outcome of the game.
        """
        self._follow(ctx)
        state = self._mechanism.step_of(0)
        if state.agreement is not None:
            return "accept"
        if state.broken or state.timedout or state.current_offer is None:
            return "end"
        return self._outcomes.offer(state.current_offer)

    def end(self, ctx: AgentContext, deal: Offer | None) -> None:
        """Tell the negotiator how the negotiation has ended, unless it has ended it."""
        self._follow(ctx)
        state = self._mechanism.state
        if not state.running:
            return
        state.running = False
        if deal is None or not ctx.game.is_complete(deal):
            state.timedout = True
        else:
            state.agreement = self._outcomes.outcome(deal)
        self._mechanism.on_negotiation_end()

    def _follow(self, ctx: AgentContext) -> None:
        """Set the mechanism's clock to the session's."""
        self._mechanism.session_time = ctx.elapsed_time
        self._mechanism.progress = ctx.progress
