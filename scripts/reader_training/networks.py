"""Fitting of the slot network, the act classifiers and the certainty trees, and their JSON data."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import compress

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from negoplatform.language.parsing.slots.slots import CandidateKind
from scripts.reader_training.examples import SlotExample

KINDS = tuple(kind.value for kind in CandidateKind)
SIZE = 24
"""Number of hidden units of the slot network."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """Parameters of fitting the slot network.

    Args:
        epochs: The number of passes over all examples.
        rate: The initial step size; it falls to a tenth.
        drop: The share of features that is dropped at random, so that none is relied on.
        decay: The weight decay of each step.
        rarest: The minimum number of occurrences of a feature.
        batch: The number of examples of a step.
    """

    epochs: int = 10
    rate: float = 3e-3
    drop: float = 0.5
    decay: float = 1e-4
    rarest: int = 8
    batch: int = 384


def fit_slots(examples: Sequence[SlotExample], seed: int, how: Fit | None = None) -> dict[str, Any]:
    """Return the data of a slot network fitted to examples."""
    how = how or Fit()
    rng = np.random.default_rng(seed)
    around = _vocabulary((example.around for example in examples), how.rarest)
    fitting = _vocabulary((f for e in examples for _, f in e.options), how.rarest)
    data = _matrices(examples, around, fitting)
    weights = {
        "around": rng.normal(0, 0.05, (len(around), SIZE)).astype(np.float32),
        "kinds": np.zeros((len(around), len(KINDS)), np.float32),
        "fitting": rng.normal(0, 0.05, (len(fitting), SIZE)).astype(np.float32),
        "linear": np.zeros(len(fitting), np.float32),
        "bias": np.zeros(SIZE, np.float32),
        "out": rng.normal(0, 0.3, SIZE).astype(np.float32),
    }
    adam = _Adam(weights, how)
    order = np.arange(len(examples))
    for epoch in range(how.epochs):
        rng.shuffle(order)
        rate = how.rate * (1 - 0.9 * epoch / how.epochs)
        for start in range(0, len(order), how.batch):
            adam.step(_gradients(data, weights, order[start : start + how.batch], how.drop, rng), rate)
    return _slots_document(weights, around, fitting)


@dataclass(frozen=True, slots=True)
class _Data:
    """All examples as matrices; a row of ``fitting`` is a candidate, ``slots`` has its slot."""

    around: sp.csr_matrix
    fitting: sp.csr_matrix
    slots: NDArray[np.int64]
    kinds: NDArray[np.int64]
    right: NDArray[np.bool_]
    starts: NDArray[np.int64]
    weights: Floats


def _vocabulary(lists: Iterable[Iterable[str]], rarest: int) -> dict[str, int]:
    count: Counter[str] = Counter()
    for features in lists:
        count.update(features)
    return {name: i for i, name in enumerate(sorted(name for name, n in count.items() if n >= rarest))}


def _rows(lists: Sequence[Sequence[str]], places: Mapping[str, int]) -> sp.csr_matrix:
    found = [[places[name] for name in features if name in places] for features in lists]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in found])])
    columns = np.fromiter((column for row in found for column in row), dtype=np.int32, count=int(starts[-1]))
    ones = np.ones(len(columns), dtype=np.float32)
    return sp.csr_matrix((ones, columns, starts), shape=(len(found), len(places)))


def _matrices(examples: Sequence[SlotExample], around: dict[str, int], fitting: dict[str, int]) -> _Data:
    sizes = [len(example.options) for example in examples]
    return _Data(
        _rows([example.around for example in examples], around),
        _rows([features for example in examples for _, features in example.options], fitting),
        np.repeat(np.arange(len(examples)), sizes),
        np.array([KINDS.index(kind) for example in examples for kind, _ in example.options]),
        np.array([i in example.right for example in examples for i in range(len(example.options))]),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.array([example.weight for example in examples], dtype=np.float32),
    )


def _gradients(
    data: _Data,
    weights: Mapping[str, Floats],
    chosen: NDArray[np.int64],
    drop: float,
    rng: np.random.Generator,
) -> dict[str, Floats]:
    """Return the gradients of the negative log-probability of the right candidates."""
    around = data.around[chosen]
    around.data = (rng.random(len(around.data)) >= drop).astype(np.float32) / (1 - drop)
    rows = np.concatenate([np.arange(data.starts[i], data.starts[i + 1]) for i in chosen])
    sizes = data.starts[chosen + 1] - data.starts[chosen]
    slots = np.repeat(np.arange(len(chosen)), sizes)
    firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    fitting = data.fitting[rows].copy()
    fitting.data = (rng.random(len(fitting.data)) >= drop / 3).astype(np.float32) / (1 - drop / 3)
    kinds, right = data.kinds[rows], data.right[rows]
    before = (around @ weights["around"])[slots] + fitting @ weights["fitting"] + weights["bias"]
    hidden = np.maximum(before, 0)
    linear = (around @ weights["kinds"])[slots, kinds] + fitting @ weights["linear"]
    scores = hidden @ weights["out"] + linear
    powers = np.exp(scores - np.maximum.reduceat(scores, firsts)[slots])
    of_right = np.where(right, powers, 0)
    share = powers / np.add.reduceat(powers, firsts)[slots]
    target = of_right / (np.add.reduceat(of_right, firsts) + 1e-9)[slots]
    error = ((share - target) * data.weights[chosen][slots] / len(chosen)).astype(np.float32)
    back = np.outer(error, weights["out"]) * (before > 0)
    to_slots = sp.csr_matrix(
        (np.ones(len(slots), np.float32), (slots, np.arange(len(slots)))), shape=(len(chosen), len(slots))
    )
    by_kind = np.zeros((len(chosen), len(KINDS)), np.float32)
    np.add.at(by_kind, (slots, kinds), error)
    return {
        "around": around.T.tocsr() @ (to_slots @ back),
        "kinds": around.T.tocsr() @ by_kind,
        "fitting": fitting.T.tocsr() @ back,
        "linear": fitting.T.tocsr() @ error,
        "bias": back.sum(0),
        "out": hidden.T @ error,
    }


class _Adam:
    """Adam with weight decay (Loshchilov and Hutter 2019)."""

    def __init__(self, weights: dict[str, Floats], how: Fit) -> None:
        self._weights, self._decay = weights, how.decay
        self._means = {name: np.zeros_like(held) for name, held in weights.items()}
        self._squares = {name: np.zeros_like(held) for name, held in weights.items()}
        self._steps = 0

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """Take one step against the gradients."""
        self._steps += 1
        for name, held in self._weights.items():
            mean, square = self._means[name], self._squares[name]
            mean += 0.1 * (gradients[name] - mean)
            square += 0.001 * (gradients[name] ** 2 - square)
            corrected = mean / (1 - 0.9**self._steps)
            spread = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            held -= rate * (corrected / spread + self._decay * held)


def _slots_document(
    weights: Mapping[str, Floats], around: Mapping[str, int], fitting: Mapping[str, int]
) -> dict[str, Any]:
    """Return the weights as integers from -127 to 127, without rows of negligible weight."""
    hidden = _scale(np.concatenate([weights["around"], weights["fitting"]]))
    of_kinds, of_fitting = _scale(weights["kinds"]), _scale(weights["linear"])
    rows = np.hstack([_whole(weights["around"], hidden), _whole(weights["kinds"], of_kinds)])
    fits = np.hstack(
        [_whole(weights["fitting"], hidden), _whole(weights["linear"], of_fitting).reshape(-1, 1)]
    )
    return {
        "kinds": list(KINDS),
        "size": SIZE,
        "around": _table_document(around, rows, least=40),
        "fitting": _table_document(fitting, fits, least=0),
        "bias": [round(float(x) / hidden, 2) for x in weights["bias"]],
        "out": [round(float(x) * hidden, 6) for x in weights["out"]],
        "linear": [round(of_kinds, 7), round(of_fitting, 7)],
    }


def _scale(held: Floats) -> float:
    return float(np.quantile(np.abs(held), 0.9999)) / 127 or 1.0


def _whole(held: Floats, scale: float) -> NDArray[np.int8]:
    return np.clip(np.rint(held / scale), -127, 127).astype(np.int8)


def _table_document(places: Mapping[str, int], rows: NDArray[np.int8], *, least: int) -> dict[str, Any]:
    """Return a table of the rows whose absolute values add up to more than ``least``."""
    kept = [name for name, i in places.items() if int(np.abs(rows[i].astype(int)).sum()) > least]
    numbers = rows[[places[name] for name in kept]]
    return {
        "features": b64encode(compress("\n".join(kept).encode(), 9)).decode(),
        "numbers": b64encode(compress(numbers.tobytes(), 9)).decode(),
    }


def fit_acts(
    features: Sequence[Sequence[str]],
    labels: Mapping[str, Sequence[bool | None]],
    weights: Sequence[float],
    *,
    rarest: int = 7,
) -> dict[str, Any]:
    """Return the data of a logistic classifier for each label; examples with label None are left out."""
    places = _vocabulary(features, rarest)
    rows = _rows(features, places)
    held = np.asarray(weights)
    found, biases = [], []
    for values in labels.values():
        known = np.array([value is not None for value in values])
        wanted = np.array([bool(value) for value in values])
        fitted = LogisticRegression(C=0.3, max_iter=300).fit(
            rows[known], wanted[known], sample_weight=held[known]
        )
        found.append(fitted.coef_[0])
        biases.append(float(fitted.intercept_[0]))
    matrix = np.array(found).T.astype(np.float32)
    scale = _scale(matrix)
    return {
        "classes": list(labels),
        "weights": _table_document(places, _whole(matrix, scale), least=4),
        "scale": round(scale, 8),
        "bias": [round(bias, 5) for bias in biases],
    }


def fit_certainty(
    values: Sequence[Sequence[float]], right: Sequence[bool], weights: Sequence[float]
) -> dict[str, Any]:
    """Return the data of the trees that estimate whether an interpretation is right."""
    fitted = GradientBoostingClassifier(
        n_estimators=160,
        max_depth=4,
        learning_rate=0.06,
        subsample=0.7,
        max_features=0.5,
        min_samples_leaf=40,
        random_state=1,
    ).fit(np.asarray(values), np.asarray(right), sample_weight=np.asarray(weights))
    share = float(np.average(np.asarray(right, dtype=float), weights=np.asarray(weights)))
    return {
        "base": round(float(np.log(share / (1 - share))), 6),
        "trees": [_tree_document(tree[0].tree_, 0, fitted.learning_rate) for tree in fitted.estimators_],
    }


def _tree_document(tree: Any, node: int, rate: float) -> list[Any]:
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    if left == right:
        return [round(float(tree.value[node][0][0]) * rate, 5)]
    # The trees compare single-precision numbers.
    threshold = round(float(tree.threshold[node]), 6)
    return [
        int(tree.feature[node]),
        threshold,
        _tree_document(tree, left, rate),
        _tree_document(tree, right, rate),
    ]
