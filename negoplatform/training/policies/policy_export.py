"""Files of policies from the networks of any other learner."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.strategies.learned.policy_file import POLICY_SCHEMA, load_policy
from negoplatform.training.episode import Episode, EpisodeSettings

Layer = tuple[ArrayLike, ArrayLike]
"""Weights of a layer, shape (outputs, inputs), and its bias, shape (outputs,)."""


def save_policy(
    path: Path | str,
    settings: EpisodeSettings,
    layers: Sequence[Layer],
    *,
    activation: str = "tanh",
    offset: ArrayLike | None = None,
    scale: ArrayLike | None = None,
    **content: Any,
) -> None:
    """Write the file of a policy that was trained in an environment.

    The network takes an observation as the environment returns it, ``(x - offset) * scale`` if it was scaled.
    Its outputs are one number for each category of each choice, in the order of the action space, of which
    the largest open one is chosen; then one for each continuous value.

    Args:
        path: The file; a new one.
        settings: The settings of the environment, ``env.unwrapped.settings``; with one learner.
        layers: The weights and the bias of each layer, as arrays, in order.
        activation: The activation of all layers but the last one, which has none: ``tanh`` or ``relu``.
        offset: What was subtracted from each number of an observation; None: nothing.
        scale: What each was multiplied with then; None: 1.
        content: Further keys of the file, such as ``name``, ``description``, ``continuous`` or ``draws``.

    Raises:
        NegoError: If the network does not fit the seat, the content is not that of a policy, or the file is
            there already.
    """
    if len(settings.learners) != 1:
        raise NegoError("A policy plays in one seat; agents take all others.")
    last = len(layers) - 1
    document: dict[str, Any] = {
        "schema": POLICY_SCHEMA,
        "game": settings.game.name,
        "mechanism": settings.game.mechanism,
        "seat": settings.learners[0],
        "step_seconds": settings.step_seconds,
        **content,
    }
    episode = Episode(replace(settings, log=None), 0)
    codec = episode.learners[settings.learners[0]].codec
    observed = len(episode.observation(codec.seat).vector())
    episode.finish()
    document["codec"] = codec.name
    if offset is not None or scale is not None:
        document["inputs"] = {
            "offset": _numbers(np.zeros(observed) if offset is None else offset),
            "scale": _numbers(np.ones(observed) if scale is None else scale),
        }
    document["layers"] = [
        {
            "weights": _numbers(weights),
            "bias": _numbers(bias),
            "activation": activation if number < last else "linear",
        }
        for number, (weights, bias) in enumerate(layers)
    ]
    text = f"{json.dumps(document, ensure_ascii=False)}\n".encode()
    load_policy(text, path).check_fits(codec, observed)
    atomic_write(Path(path), text)


def _numbers(values: ArrayLike) -> Any:
    """Return an array as lists of numbers."""
    return np.asarray(values, dtype=np.float64).tolist()
