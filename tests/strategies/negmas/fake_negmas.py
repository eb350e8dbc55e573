"""A package with the few names of NegMAS that the program uses, for tests where NegMAS is not installed."""

from __future__ import annotations

from pathlib import Path

OUTCOMES = """
def make_issue(values, name):
    return name, values


def make_os(issues):
    return tuple(issues)
"""

PREFERENCES = """
class MappingUtilityFunction:
    def __init__(self, mapping, reserved_value, outcome_space):
        self.mapping, self.reserved_value, self.outcome_space = mapping, reserved_value, outcome_space

    def __call__(self, outcome):
        return self.mapping(outcome)
"""

SAO = '''
from enum import Enum
from types import SimpleNamespace


class ResponseType(Enum):
    ACCEPT_OFFER = 0
    REJECT_OFFER = 1
    END_NEGOTIATION = 2


class SAOResponse:
    def __init__(self, response, outcome, data=None):
        self.response, self.outcome, self.data = response, outcome, data


class SAONegotiator:
    ended = None

    def propose(self, state, dest=None):
        raise NotImplementedError


class SAOMechanism:
    def __init__(self, outcome_space, time_limit, n_steps, one_offer_per_step, sync_calls):
        assert one_offer_per_step and sync_calls
        self.nmi = SimpleNamespace(time_limit=time_limit, n_steps=n_steps, outcome_space=outcome_space)
        self._current_state = SimpleNamespace(
            step=0, time=0.0, relative_time=0.0, started=False, running=False, broken=False, timedout=False,
            agreement=None, current_offer=None,
        )
        self.negotiators, self._last_checked_negotiator = [], -1

    @property
    def state(self):
        return self._current_state

    @property
    def negotiator_ids(self):
        return [str(i) for i in range(len(self.negotiators))]

    def add(self, negotiator, preferences=None):
        negotiator.ufun, negotiator.nmi = preferences, self.nmi
        self.negotiators.append(negotiator)
        return True

    def step(self, action=None):
        state = self._current_state
        state.started = state.running = True
        index = self._last_checked_negotiator = (self._last_checked_negotiator + 1) % 2
        response = (action or {}).get(str(index)) or self.negotiators[index](state)
        if response.response is ResponseType.ACCEPT_OFFER:
            state.agreement = state.current_offer
        elif response.response is ResponseType.END_NEGOTIATION or not (response.outcome or response.data):
            state.broken = True
        else:
            state.current_offer = response.outcome
        state.step += 1
        state.running = state.agreement is None and not state.broken
        if not state.running:
            self.on_negotiation_end()
        return state

    def on_negotiation_end(self):
        for negotiator in self.negotiators:
            negotiator.ended = self._current_state.agreement


class Noted(SAONegotiator):
    """Negotiator that notes the states in which it is asked."""

    made = []

    def __init__(self, least=1.0):
        self.least, self.asked = least, []
        Noted.made.append(self)

    def __call__(self, state):
        self.asked.append((state.step, state.time, state.relative_time, state.current_offer))
        if state.current_offer is not None and self.ufun(state.current_offer) >= self.least:
            return SAOResponse(ResponseType.ACCEPT_OFFER, state.current_offer)
        return self.counter()

    def counter(self):
        (_, (_, units)), (_, colours), (_, prices) = self.nmi.outcome_space
        return SAOResponse(ResponseType.REJECT_OFFER, (units, colours[0], prices[-1]))


class DiceNegotiator(Noted):
    """Negotiator that draws its proposals from Python's and NumPy's random numbers."""

    def counter(self):
        import random

        import numpy

        (_, (_, units)), (_, colours), (_, prices) = self.nmi.outcome_space
        drawn = random.randint(0, units), random.choice(colours), prices[numpy.random.randint(len(prices))]
        return SAOResponse(ResponseType.REJECT_OFFER, drawn)


class EndingNegotiator(Noted):
    def counter(self):
        return SAOResponse(ResponseType.END_NEGOTIATION, None)


class SilentNegotiator(Noted):
    def counter(self):
        return SAOResponse(ResponseType.REJECT_OFFER, None)


class StrayNegotiator(Noted):
    def counter(self):
        return SAOResponse(ResponseType.REJECT_OFFER, (99, "no colour", 0))


class GeniusNegotiator(SAONegotiator):
    pass


class JavaAgent(GeniusNegotiator):
    pass
'''


def write_fake_negmas(folder: Path) -> None:
    """Write the package into a folder, which then belongs on the module search path."""
    package = folder / "negmas"
    for name, text in {
        "__init__": "",
        "outcomes": OUTCOMES,
        "preferences": PREFERENCES,
        "sao": SAO,
        "gb/__init__": "",
        "gb/negotiators": "",
        "genius/__init__": "",
        "genius/gnegotiators": "",
    }.items():
        file = package / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
