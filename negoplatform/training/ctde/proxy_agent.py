"""Proxy between a session and agents that learn: visible features as vectors, and results of steps."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.features.observation_vectors import (
    Observation,
    get_global_states,
    get_local_state,
    get_observation,
)
from negoplatform.core.immutable.frozen_json import copy_json
from negoplatform.core.visibility_rule import SEAT_LEVEL
from negoplatform.domain.errors import NegoError, Refused

Vector = NDArray[np.float32]

LocalState = dict[str, Vector]
"""Vectors by the names of features: everything that a reward may depend on."""

LARGEST_TICK_RESULT = 64 * 1024
"""Most bytes of JSON in a tick result."""

_TICK_RESULT_KEYS = ("reward", "terminated", "truncated", "info")


class OwnResult(Feature):
    """Result of a seat, or of the seats below a principal as far as it may see them.

    It is part of the local state, and never of an observation: a policy gets the same numbers here as in a
    session with people. ``points`` are those at the end, and before it those if time were up now. ``reward``
    is that of the last step, from the views of these seats. ``active`` is 0 for a seat that plays no more.
    """

    points: float = 0.0
    reward: float = 0.0
    active: bool = True
    ended: bool = False
    timed_out: bool = False


RESULT = OwnResult.feature_name

REWARD, ACTIVE, TIMED_OUT = 1, 2, 4
"""Positions in the vector of :class:`OwnResult`."""


class StepResults(NamedTuple):
    """Results of a step, by the id of the agent: what a program that learns gets."""

    obs: dict[str, Vector]
    rewards: dict[str, float]
    terminateds: dict[str, bool]
    truncateds: dict[str, bool]
    infos: dict[str, dict[str, Any]]


class TickResult(NamedTuple):
    """Result of one tick of an agent in message mode.

    Args:
        timestamp: The session time (s) at which it arrived.
        reward: The reward.
        terminated: Whether the agent plays no more.
        truncated: Whether that is because time was up.
        info: Further values; JSON.
    """

    timestamp: float
    reward: float
    terminated: bool
    truncated: bool
    info: Mapping[str, Any]


class FeatureSource(Protocol):
    """Source of the features of a session; only the proxy reads it."""

    @property
    def now(self) -> float:
        """Session time, in seconds."""
        ...

    def features(self) -> Mapping[str, FeatureState]:
        """Return the features of all owners now."""
        ...

    def result(self, agent_id: str) -> OwnResult:
        """Return the result of an agent now, from its own view."""
        ...


class ProxyAgent:
    """Proxy of a session: registered agents get from it what their level may see, as vectors.

    No method returns a state. An agent observes with its own level or a lower one.
    """

    def __init__(self) -> None:
        self._source: FeatureSource | None = None
        self._levels: dict[str, int] = {}
        self._step: tuple[Any, ...] | None = None
        self._tick_results: dict[str, list[TickResult]] = {}

    def reset(self) -> None:
        """Clear everything: the session, the registered agents, and all results."""
        self._source, self._step = None, None
        self._levels.clear()
        self._tick_results.clear()

    def attach(self, source: FeatureSource) -> None:
        """Read another session from now on."""
        self._source = source

    def register_agent(self, agent_id: str, level: int = SEAT_LEVEL) -> None:
        """Register an agent.

        Args:
            agent_id: A seat, a principal or ``system``.
            level: 1 for a seat, 2 or 3 for a principal, 3 for the system.

        Raises:
            NegoError: If another one has that id.
        """
        if self._levels.setdefault(agent_id, level) != level:
            raise NegoError(f"{agent_id!r} is registered with the level {self._levels[agent_id]} already.")

    @property
    def levels(self) -> dict[str, int]:
        """Levels of the registered agents, by id."""
        return dict(self._levels)

    def init_global_state(self) -> dict[str, LocalState]:
        """Return the public features of all owners: vectors by feature, by owner."""
        return _arrays_by_owner(get_global_states(self._session.features(), None, SEAT_LEVEL))

    def get_observation(self, sender_id: str, requestor_level: int) -> Observation:
        """Return an agent's observation: the same as ``ctx.observation`` of an agent in that place.

        Raises:
            NegoError: If no such agent is registered, or with a lower level.
        """
        self._check(sender_id, requestor_level)
        source = self._session
        return get_observation(source.features(), sender_id, requestor_level, source.now)

    def get_local_state(self, sender_id: str, requestor_level: int) -> LocalState:
        """Return an agent's own visible features and its :class:`OwnResult`: vectors by feature.

        Raises:
            NegoError: If no such agent is registered, or with a lower level.
        """
        self._check(sender_id, requestor_level)
        own = get_local_state(self._session.features(), sender_id, requestor_level)
        own[RESULT] = self._session.result(sender_id).vector()
        return local_state_of(own)

    def get_global_states(self, sender_id: str, requestor_level: int) -> dict[str, LocalState]:
        """Return what an agent may see of all others: vectors by feature, by owner.

        Raises:
            NegoError: If no such agent is registered, or with a lower level.
        """
        self._check(sender_id, requestor_level)
        return _arrays_by_owner(get_global_states(self._session.features(), sender_id, requestor_level))

    def set_step_result(
        self,
        obs: Mapping[str, Observation],
        rewards: Mapping[str, float],
        terminateds: Mapping[str, bool],
        truncateds: Mapping[str, bool],
        infos: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Set the results of a step, each by the id of the agent.

        Raises:
            NegoError: If one of them is of an agent that is not registered, or a reward is not finite.
        """
        results = (obs, rewards, terminateds, truncateds, infos)
        for values in results:
            if strange := [name for name in values if name not in self._levels]:
                raise NegoError(f"No agent {strange[0]!r} is registered, so it has no results.")
        for name, reward in rewards.items():
            _check_reward(name, reward)
        self._step = tuple(dict(values) for values in results)

    def get_step_results(self) -> StepResults:
        """Return the results of the last step, as vectors of float32 numbers and as floats.

        Raises:
            NegoError: If there was no step.
        """
        if self._step is None:
            raise NegoError("There are no results yet: no step was executed since the last reset.")
        obs, rewards, terminateds, truncateds, infos = self._step
        return StepResults(
            {name: np.array(one.vector(), dtype=np.float32) for name, one in obs.items()},
            {name: float(reward) for name, reward in rewards.items()},
            {name: bool(done) for name, done in terminateds.items()},
            {name: bool(cut) for name, cut in truncateds.items()},
            {name: dict(info) for name, info in infos.items()},
        )

    def set_tick_result(self, agent_id: str, body: Mapping[str, Any]) -> None:
        """Add the result of a tick: ``reward``, ``terminated``, ``truncated`` and ``info``, JSON values.

        Raises:
            NegoError: If no such agent is registered, or the result is not of that form.
        """
        self._check(agent_id, SEAT_LEVEL)
        if set(body) != set(_TICK_RESULT_KEYS):
            raise NegoError(f"A tick result has {', '.join(_TICK_RESULT_KEYS)}, and nothing else.")
        _check_reward(agent_id, body["reward"])
        try:
            held = copy_json(dict(body), LARGEST_TICK_RESULT)
        except Refused as refusal:
            raise NegoError(f"The tick result of {agent_id} holds what JSON cannot: {refusal}") from None
        result = TickResult(
            self._session.now,
            float(held["reward"]),
            bool(held["terminated"]),
            bool(held["truncated"]),
            held["info"],
        )
        self._tick_results.setdefault(agent_id, []).append(result)

    def get_tick_results(self) -> dict[str, list[TickResult]]:
        """Return the tick results of each agent that has some, oldest first; the last one is the live one."""
        return {name: list(results) for name, results in self._tick_results.items()}

    def message_delivery_handler(self, sender_id: str, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Handle a message that arrives; return the answer, which is JSON, or None if there is none.

        Args:
            sender_id: A registered agent.
            message: ``{"get_info": "obs"}``, ``{"get_info": "local_state"}``, or
                ``{"set_tick_result": "local", "body": …}``.

        Raises:
            NegoError: If it is none of these.
        """
        level = self._levels.get(sender_id, SEAT_LEVEL)
        match message:
            case {"get_info": "obs"}:
                return {"get_obs_response": {"body": self.get_observation(sender_id, level).to_dict()}}
            case {"get_info": "local_state"}:
                own = self.get_local_state(sender_id, level)
                return {"get_local_state_response": {"body": {name: own[name].tolist() for name in own}}}
            case {"set_tick_result": "local", "body": body}:
                self.set_tick_result(sender_id, body)
                return None
        raise NegoError(f"The platform takes no message {dict(message)!r:.100} from {sender_id}.")

    @property
    def _session(self) -> FeatureSource:
        if self._source is None:
            raise NegoError("There is no episode; call reset(seed) first.")
        return self._source

    def _check(self, agent_id: str, level: int) -> None:
        registered = self._levels.get(agent_id)
        if registered is None:
            raise NegoError(f"No agent {agent_id!r} is registered.")
        if not SEAT_LEVEL <= level <= registered:
            raise NegoError(f"{agent_id} is on level {registered}, so it cannot observe as on level {level}.")


def _check_reward(name: str, reward: object) -> None:
    if isinstance(reward, bool) or not isinstance(reward, int | float | np.number) or not isfinite(reward):
        raise NegoError(f"The reward of {name} is a finite number, not {reward!r:.60}.")


def local_state_of(vectors: Mapping[str, Any]) -> LocalState:
    """Return vectors by feature as arrays, such as those in the body of a ``get_local_state_response``."""
    return {name: np.array(numbers, dtype=np.float32) for name, numbers in vectors.items()}


def _arrays_by_owner(states: Mapping[str, Mapping[str, Any]]) -> dict[str, LocalState]:
    return {owner: local_state_of(vectors) for owner, vectors in states.items()}
