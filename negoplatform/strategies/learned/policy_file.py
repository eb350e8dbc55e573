"""File of a trained policy: a small network as JSON, computed in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite, tanh
from operator import mul
from random import Random
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from negoplatform.domain.errors import NegoError
from negoplatform.domain.visible_text import reveal_invisible
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.codec_choice import CODECS
from negoplatform.strategies.learned.vector_action import VectorAction

POLICY_SCHEMA = "negoplatform.policy/1"
"""Format of files of policies."""

MOST_LAYERS = 10
"""Most layers of a network."""

MOST_NUMBERS = 1_000_000
"""Most weights and biases of a network."""

LONGEST_DESCRIPTION = 2_000
"""Most characters of a description."""

LONGEST_PART = 200
"""Most characters of the place and of the reason of a fault in a sentence; texts of the file are in both."""

Numbers = list[float]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


class LayerModel(_Strict):
    """Layer: ``activation(weights @ x + bias)``.

    ``weights`` has one row for each output, with a number for each input; ``bias`` has one for each output.
    """

    weights: list[Numbers]
    bias: Numbers
    activation: Literal["linear", "tanh", "relu"] = "linear"

    @model_validator(mode="after")
    def _has_one_shape(self) -> Self:
        if not self.weights or len(self.bias) != len(self.weights):
            raise ValueError("a layer has as many numbers in 'bias' as rows in 'weights', at least one")
        if len({len(row) for row in self.weights}) != 1 or not self.weights[0]:
            raise ValueError("all rows of 'weights' have the same number of columns, at least one")
        return self


class InputModel(_Strict):
    """Scaling of the observation: ``(x - offset) * scale``, number by number."""

    offset: Numbers
    scale: Numbers


class PolicyModel(_Strict):
    """Content of a policy's file.

    The network's outputs are, in this order: one number for each category of each choice of the codec, of
    which the largest open one is chosen; then one for each continuous value.
    """

    # The key is the file's own, and not a name in Python.
    format: Literal["negoplatform.policy/1"] = Field(alias="schema")
    name: str = Field("Robin", min_length=1, max_length=40)
    description: str = Field("A trained policy.", max_length=LONGEST_DESCRIPTION)
    game: str = Field(min_length=1, max_length=200)
    mechanism: Literal["bargaining", "trading", "market"]
    seat: str = Field("", max_length=200)
    codec: str
    step_seconds: float = Field(5.0, ge=0.1, le=3600)
    inputs: InputModel | None = None
    layers: list[LayerModel] = Field(min_length=1, max_length=MOST_LAYERS)
    continuous: Literal["logistic", "clip"] = "logistic"
    draws: bool = False
    keeps_reservation_value: bool = True
    confirms_own_offers: bool = True
    holds_offers_seconds: float = Field(0.0, ge=0, le=3600)
    training: dict[str, Any] = Field(default_factory=dict)

    @field_validator("codec")
    @classmethod
    def _is_known(cls, codec: str) -> str:
        if codec not in CODECS:
            raise ValueError(f"there is no codec {codec!r}; there are {', '.join(CODECS)}")
        return codec

    @model_validator(mode="after")
    def _is_for_this_kind(self) -> Self:
        kind = CODECS[self.codec].mechanism
        if kind != self.mechanism:
            raise ValueError(f"the codec {self.codec} is for games of the kind {kind}, not {self.mechanism}")
        return self

    @model_validator(mode="after")
    def _layers_fit(self) -> Self:
        width = len(self.layers[0].weights[0])
        if self.inputs is not None and {len(self.inputs.offset), len(self.inputs.scale)} != {width}:
            raise ValueError(
                f"'inputs' has {width} numbers in 'offset' and in 'scale', as layer 1 has columns"
            )
        total = 0
        for number, layer in enumerate(self.layers, 1):
            if len(layer.weights[0]) != width:
                raise ValueError(
                    f"layer {number} has {len(layer.weights[0])} columns, but {width} inputs arrive there"
                )
            total += (width + 1) * len(layer.weights)
            width = len(layer.weights)
        if total > MOST_NUMBERS:
            raise ValueError(f"the network has {total:,} numbers; at most {MOST_NUMBERS:,} are read")
        return self


def load_policy(text: str | bytes, where: object) -> Policy:
    """Return the policy in the text of a file.

    Args:
        text: The content of the file.
        where: The file, for sentences.

    Raises:
        NegoError: If it is no such file; the first fault in a sentence.
    """
    try:
        model = PolicyModel.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = _shown(".".join(str(part) for part in fault["loc"]))
        raise NegoError(f"{where}: {place or 'the file'}: {_shown(_reason(fault))}.") from None
    return Policy(model)


def _reason(fault: Mapping[str, Any]) -> str:
    """Return the words of a fault, the same as of faults in other files."""
    context = fault.get("ctx", {})
    match fault["type"]:
        case "missing":
            return "this key is missing"
        case "extra_forbidden":
            return "this key is not known here; check its spelling or remove it"
        case "json_invalid":
            return f"this is no valid JSON ({context['error']})"
        case "too_short" | "too_long":
            limit = "at least" if "min_length" in context else "at most"
            number = context.get("min_length", context.get("max_length"))
            return f"{limit} {number:,} of these belong here, and not {context['actual_length']:,}"
    reason = str(fault["msg"]).removeprefix("Value error, ")
    return reason[:1].lower() + reason[1:]


def _shown(text: str) -> str:
    """Return a part of a sentence at a readable length, with characters that are not drawn as escapes."""
    return reveal_invisible(text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]}…")


@dataclass(frozen=True, slots=True)
class Policy:
    """Trained policy: from an observation to an action.

    Args:
        model: The content of its file.
    """

    model: PolicyModel

    @property
    def input_count(self) -> int:
        """Number of an observation's numbers."""
        return len(self.model.layers[0].weights[0])

    @property
    def output_count(self) -> int:
        """Number of the network's outputs."""
        return len(self.model.layers[-1].weights)

    def check_fits(self, codec: ActionCodec, observed: int) -> None:
        """Check that the network fits a seat of a game.

        Args:
            codec: The codec of the seat's actions.
            observed: The number of numbers of the seat's observations.

        Raises:
            NegoError: If it does not.
        """
        needed = sum(codec.ncats) + codec.dim_c
        if (observed, needed) != (self.input_count, self.output_count):
            raise NegoError(
                f"This policy was trained for the game {self.model.game}: it takes {self.input_count} "
                f"numbers and gives {self.output_count}, and the seat {codec.seat} of {codec.game.name} has "
                f"{observed} and needs {needed}."
            )

    def outputs(self, observation: Iterable[float]) -> Sequence[float]:
        """Return the network's outputs for an observation."""
        values: Sequence[float] = list(observation)
        scaling = self.model.inputs
        if scaling is not None:
            values = [(x - a) * b for x, a, b in zip(values, scaling.offset, scaling.scale, strict=True)]
        for layer in self.model.layers:
            values = [
                sum(map(mul, row, values)) + bias for row, bias in zip(layer.weights, layer.bias, strict=True)
            ]
            if layer.activation == "tanh":
                values = [tanh(x) for x in values]
            elif layer.activation == "relu":
                values = [max(0.0, x) for x in values]
        return values

    def forward(
        self,
        observation: Iterable[float],
        codec: ActionCodec,
        masks: Sequence[Sequence[int]],
        rng: Random,
    ) -> VectorAction:
        """Return the action for an observation.

        Args:
            observation: The observation, such as ``ctx.observation.vector()``.
            codec: The codec of the actions.
            masks: The open categories of each choice, 1 or 0 each, such as ``codec.masks(ctx)``.
            rng: Random numbers, used by a policy that draws.

        Raises:
            NegoError: If an output is not finite.
        """
        outputs = self.outputs(observation)
        if not all(map(isfinite, outputs)):
            raise NegoError(f"The policy's network gives numbers that are not finite: {outputs}.")
        chosen: list[int] = []
        at = 0
        for mask in masks:
            scores = [
                score if is_open else -float("inf")
                for score, is_open in zip(outputs[at:], mask, strict=False)
            ]
            chosen.append(_drawn(scores, rng) if self.model.draws else scores.index(max(scores)))
            at += len(mask)
        action = codec.init_action()
        action.set_values({"c": [self._continuous(x) for x in outputs[at:]], "d": chosen})
        return action

    def _continuous(self, output: float) -> float:
        if self.model.continuous == "clip":
            return min(1.0, max(0.0, output))
        return 0.5 * (1 + tanh(output / 2))  # the logistic function, without an overflow


def _drawn(scores: Sequence[float], rng: Random) -> int:
    """Return a category by chance; ``scores`` are logarithms of odds, minus infinity for none."""
    most = max(scores)
    return rng.choices(range(len(scores)), [exp(score - most) for score in scores])[0]
