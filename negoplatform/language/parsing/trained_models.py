"""Trained models in plain Python: a small network, linear classifiers and decision trees.

``scripts/train_reader.py`` trains them on labelled dialogues and writes them as JSON.
"""

from __future__ import annotations

import json
from array import array
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import StringIO
from math import exp
from typing import Any
from zlib import decompress

_EMPTY_ROW = 0xFFFF
"""Marker of an unused index; a table has fewer rows."""


class WeightTable:
    """Table with a row of small integers for each feature.

    Features are stored as hashes in arrays: strings in a dictionary take ten times the memory.

    Args:
        features: The features in row order; fewer than 65,535.
        width: The number of integers of a row.
        numbers: The rows, concatenated.
    """

    __slots__ = ("_hashes", "_mask", "_numbers", "_row_indices", "_width")

    def __init__(self, features: Iterable[str], width: int, numbers: array[int]) -> None:
        self._width, self._numbers = width, numbers
        self._hashes = array("q", map(hash, features))
        size = 1 << (3 * len(self._hashes)).bit_length()
        self._mask = size - 1
        self._row_indices = array("H", [_EMPTY_ROW]) * size
        for row, hashed in enumerate(self._hashes):
            place = hashed & self._mask
            while self._row_indices[place] != _EMPTY_ROW:
                place = (place + 1) & self._mask
            self._row_indices[place] = row

    def sum_rows(self, features: Iterable[str]) -> list[int]:
        """Return the sum of the rows of features; unknown features add nothing."""
        places, hashes, mask, width, numbers = (
            self._row_indices, self._hashes, self._mask, self._width, self._numbers
        )  # fmt: skip
        rows = []
        for feature in features:
            hashed = hash(feature)
            place = hashed & mask
            while (row := places[place]) != _EMPTY_ROW:
                if hashes[row] == hashed:
                    rows.append(numbers[row * width : (row + 1) * width])
                    break
                place = (place + 1) & mask
        return [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * width


@dataclass(frozen=True, slots=True)
class SlotNetwork:
    """Network that scores the candidates of a slot.

    The features around the slot and those of the candidate are summed into a hidden layer of rectified
    units and into a linear score.

    Args:
        kinds: The index of each kind of candidate; the context has one linear score per kind.
        size: The number of hidden units.
        context_weights: Rows of ``size`` integers and one for each kind.
        candidate_weights: Rows of ``size`` integers and one.
        bias: The bias of each hidden unit, in the units of the rows.
        output_weights: The weight of each hidden unit.
        linear_weights: The weights of the two linear scores: of the context, of the candidate.
    """

    kinds: Mapping[str, int]
    size: int
    context_weights: WeightTable
    candidate_weights: WeightTable
    bias: tuple[float, ...]
    output_weights: tuple[float, ...]
    linear_weights: tuple[float, float]

    def scores(self, around: Iterable[str], candidates: Sequence[tuple[str, Iterable[str]]]) -> list[float]:
        """Return the score of each candidate.

        Args:
            around: The features around the slot.
            candidates: The kind and the features of each candidate.
        """
        before = self.context_weights.sum_rows(around)
        base = [number + bias for number, bias in zip(before, self.bias, strict=False)]
        found = []
        for kind, features in candidates:
            fit = self.candidate_weights.sum_rows(features)
            hidden = sum(
                [
                    weight * level
                    for one, other, weight in zip(base, fit, self.output_weights, strict=False)
                    if (level := one + other) > 0
                ]
            )
            linear = (
                self.linear_weights[0] * before[self.size + self.kinds[kind]]
                + self.linear_weights[1] * fit[self.size]
            )
            found.append(hidden + linear)
        return found


@dataclass(frozen=True, slots=True)
class ActClassifiers:
    """Binary classifiers of several classes.

    Args:
        classes: The names of the classes.
        weights: One integer for each class.
        scale: The factor of the integers.
        bias: The bias of each class.
    """

    classes: tuple[str, ...]
    weights: WeightTable
    scale: float
    bias: tuple[float, ...]

    def probabilities(self, features: Iterable[str]) -> dict[str, float]:
        """Return the probability of each class, 0 to 1."""
        sums = self.weights.sum_rows(features)
        return {
            name: sigmoid(self.scale * number + bias)
            for name, number, bias in zip(self.classes, sums, self.bias, strict=True)
        }


Tree = tuple[Any, ...]
"""Leaf ``(value,)``, or node ``(feature, threshold, left, right)``: left up to the threshold."""


@dataclass(frozen=True, slots=True)
class TreeEnsemble:
    """Sum of decision trees as the probability of a class.

    Args:
        base: The initial value of the sum.
        trees: The trees.
    """

    base: float
    trees: tuple[Tree, ...]

    def probability(self, values: Sequence[float]) -> float:
        """Return the probability, 0 to 1, for one value per feature."""
        total = self.base
        for tree in self.trees:
            node = tree
            while len(node) > 1:
                node = node[2] if values[node[0]] <= node[1] else node[3]
            total += node[0]
        return sigmoid(total)


@dataclass(frozen=True, slots=True)
class ParserModels:
    """Models of the parser.

    Args:
        slots: The network that scores the candidates of slots.
        acts: The classifiers of a message's acts.
        certainty: The trees that estimate whether the terms are right.
    """

    slots: SlotNetwork
    acts: ActClassifiers
    certainty: TreeEnsemble


def sigmoid(value: float) -> float:
    """Return the logistic function of a value."""
    return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))


def softmax(scores: Sequence[float]) -> list[float]:
    """Return scores as probabilities."""
    most = max(scores)
    powers = [exp(score - most) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


@cache
def load_models() -> ParserModels:
    """Return the models shipped with the program; they are loaded once."""
    folder = resources.files("negoplatform.language") / "data" / "models"
    read = {
        name: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("slots", "acts", "certainty")
    }
    return models_from_json(read)


def models_from_json(read: Mapping[str, Mapping[str, Any]]) -> ParserModels:
    """Return the models of JSON data, by file."""
    slots, acts, certainty = read["slots"], read["acts"], read["certainty"]
    return ParserModels(
        SlotNetwork(
            {name: i for i, name in enumerate(slots["kinds"])},
            slots["size"],
            _table(slots["around"], slots["size"] + len(slots["kinds"])),
            _table(slots["fitting"], slots["size"] + 1),
            tuple(slots["bias"]),
            tuple(slots["out"]),
            (slots["linear"][0], slots["linear"][1]),
        ),
        ActClassifiers(
            tuple(acts["classes"]),
            _table(acts["weights"], len(acts["classes"])),
            acts["scale"],
            tuple(acts["bias"]),
        ),
        TreeEnsemble(certainty["base"], tuple(map(_tree, certainty["trees"]))),
    )


def _table(data: Mapping[str, Any], width: int) -> WeightTable:
    numbers = array("b")
    numbers.frombytes(decompress(b64decode(data["numbers"])))
    names = StringIO(decompress(b64decode(data["features"])).decode())
    return WeightTable((line.removesuffix("\n") for line in names), width, numbers)


def _tree(data: Sequence[Any]) -> Tree:
    return (data[0],) if len(data) == 1 else (data[0], data[1], _tree(data[2]), _tree(data[3]))
