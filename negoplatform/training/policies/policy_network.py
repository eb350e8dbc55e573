"""Network of a policy in training: many candidates at once, and the file of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.mechanisms.bargaining_feature_vectors import Limits, TableOffer, Worth
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.session_features import Clock
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.strategies.learned.action_codec import QUIT, WAIT, ActionCodec
from negoplatform.strategies.learned.policy_file import POLICY_SCHEMA
from negoplatform.training.fast_path.fast_episode import feature_places
from negoplatform.training.policies.cross_entropy import Parameters

HIDDEN = 8
"""Units of the hidden layer."""

FIRST_LOGITS = {WAIT: 0.0, QUIT: -4.0}
"""Outputs for heads at the beginning; those of all others are 1."""


@dataclass(frozen=True, slots=True)
class PolicyInputs:
    """Numbers of an observation that a network reads, scaled to about -1 to 1.

    Args:
        columns: Their places in the observation's vector.
        offset: What is subtracted from each.
        scale: What each is multiplied with then.
        observed: The length of the vector.
    """

    columns: tuple[int, ...]
    offset: NDArray[np.float64]
    scale: NDArray[np.float64]
    observed: int


def policy_inputs(game: GameSpec, seat: Seat, observations: Sequence[Observation]) -> PolicyInputs:
    """Return the inputs of a seat's policy.

    In a bargaining game they are the time, whose offer is on the table, who has accepted it, what it is worth
    to the seat, and the seat's reservation value. In other games they are all numbers that vary.

    Args:
        game: The game, with resolved profiles.
        seat: The seat.
        observations: Observations of the seat from some episodes.
    """
    vectors = np.array([each.vector() for each in observations], dtype=np.float64)
    places = feature_places(observations[0], seat)
    if game.mechanism != BARGAINING:
        varying = np.flatnonzero(vectors.std(0) > 0)
        spread = vectors[:, varying].std(0)
        return PolicyInputs(
            tuple(varying.tolist()), vectors[:, varying].mean(0), 1 / spread, vectors.shape[1]
        )
    utility = game.preferences[seat].utility
    width = float(utility.highest - utility.lowest) or 1.0
    table = places[PLATFORM, TableOffer.feature_name]
    clock = places[PLATFORM, Clock.feature_name].start
    deadline = game.rules.deadline_seconds or 1.0
    worth = places[seat, Worth.feature_name]
    own = game.seats.index(seat)
    accepted = range(table.stop - len(game.seats), table.stop)
    rows = [
        (clock, 0.5 * deadline, 2 / deadline),
        (table.start, float(own), 1.0),
        *((column, 0.0, 1.0) for column in accepted),
        (worth.start + 1, 0.5, 2.0),
        (places[seat, Limits.feature_name].start, float(utility.lowest), 1 / width),
    ]
    columns, offset, scale = zip(*rows, strict=True)
    return PolicyInputs(columns, np.array(offset), np.array(scale), vectors.shape[1])


class PolicyNetwork:
    """Network with one hidden layer, for many candidates at once.

    Args:
        inputs: Its inputs.
        codec: The codec of its actions.
    """

    def __init__(self, inputs: PolicyInputs, codec: ActionCodec) -> None:
        self.inputs, self.codec = inputs, codec
        self._shapes = (
            (HIDDEN, len(inputs.columns)),
            (HIDDEN,),
            (sum(codec.ncats) + codec.dim_c, HIDDEN),
            (sum(codec.ncats) + codec.dim_c,),
        )
        self.size = sum(int(np.prod(shape)) for shape in self._shapes)
        """Number of parameters."""

    def first(self) -> Parameters:
        """Return the parameters at the beginning of a training."""
        found = np.zeros(self.size)
        bias = found[-self._shapes[3][0] :]
        for number, head in enumerate(self.codec.heads):
            bias[number] = FIRST_LOGITS.get(head, 1.0)
        if self.codec.dim_c:
            bias[-self.codec.dim_c :] = 1.0
        return found

    def split(self, candidates: Parameters) -> list[NDArray[np.float64]]:
        """Return the weights and biases of candidates, a row each: hidden ones, then those of the outputs."""
        found, at = [], 0
        for shape in self._shapes:
            size = int(np.prod(shape))
            found.append(candidates[:, at : at + size].reshape(len(candidates), *shape))
            at += size
        return found

    def outputs(
        self, parts: Sequence[NDArray[np.float64]], observations: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the outputs of candidates for observations.

        Args:
            parts: What :meth:`split` returned for them.
            observations: The observations, shape (candidates, observations of each, numbers).

        Returns:
            The outputs, shape (candidates, observations of each, outputs).
        """
        hidden, first_bias, last, last_bias = parts
        chosen = observations[:, :, self.inputs.columns].astype(np.float64)
        scaled = (chosen - self.inputs.offset) * self.inputs.scale
        layer = np.tanh(scaled @ hidden.transpose(0, 2, 1) + first_bias[:, None, :])
        return layer @ last.transpose(0, 2, 1) + last_bias[:, None, :]

    def document(self, parameters: Parameters, **content: Any) -> dict[str, Any]:
        """Return the content of a policy's file.

        Args:
            parameters: The parameters of the network.
            content: Further keys of the file.
        """
        hidden, first_bias, last, last_bias = (part[0] for part in self.split(parameters[None]))
        inputs = self.inputs
        weights = np.zeros((HIDDEN, inputs.observed))
        weights[:, inputs.columns] = hidden * inputs.scale
        bias = first_bias - hidden @ (inputs.offset * inputs.scale)
        layers = [
            {"weights": _rounded(weights), "bias": _rounded(bias), "activation": "tanh"},
            {"weights": _rounded(last), "bias": _rounded(last_bias), "activation": "linear"},
        ]
        return {"schema": POLICY_SCHEMA, **content, "codec": self.codec.name, "layers": layers}


def _rounded(numbers: NDArray[np.float64]) -> Any:
    """Return numbers with ten significant digits, as lists."""
    text = np.vectorize(lambda x: float(f"{x:.10g}"))(numbers) if numbers.size else numbers
    return text.tolist()
