"""Spaces of Gymnasium for the actions and observations of a seat."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from negoplatform.core.features.numeric_features import LARGEST_VALUE
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.vector_action import VectorAction

Mask = tuple[NDArray[np.int8], ...] | dict[str, Any]
"""Mask of an action space, as its ``sample`` takes it."""


def action_space(codec: ActionCodec) -> spaces.Space[Any]:
    """Return the space of a codec's actions.

    A ``MultiDiscrete`` where all values are choices; else a ``Dict`` of the continuous values, ``c``, and the
    choices, ``d``.
    """
    choices = spaces.MultiDiscrete(np.array(codec.ncats, dtype=np.int64))
    if not codec.dim_c:
        return choices
    return spaces.Dict({"c": spaces.Box(0.0, 1.0, (codec.dim_c,), np.float32), "d": choices})


def action_mask(codec: ActionCodec, masks: tuple[Any, ...]) -> Mask:
    """Return the mask of a codec's action space from the masks of its choices."""
    choices = tuple(np.array(mask, dtype=np.int8) for mask in masks)
    return {"c": None, "d": choices} if codec.dim_c else choices


def vector_action(codec: ActionCodec, action: Any) -> VectorAction:
    """Return the codec's action of an element of its action space.

    Raises:
        NegoError: If it has other dimensions.
    """
    found = codec.init_action()
    if isinstance(action, VectorAction):
        found.set_values(action)
    elif isinstance(action, Mapping):
        found.set_values({name: np.asarray(values).tolist() for name, values in action.items()})
    else:
        found.set_values(np.asarray(action).reshape(-1).tolist())
    return found


def observation_space(observation: Observation, *, as_dict: bool) -> spaces.Space[Any]:
    """Return the space of observations like one of them: a ``Box``, or a ``Dict`` of one for each feature.

    The features of the ``Dict`` are in the order of the vector, so that flattening it gives the vector.
    """
    if not as_dict:
        return vector_space(len(observation.vector()))
    # Gymnasium sorts the names of any mapping other than an OrderedDict.
    return spaces.Dict(
        OrderedDict((name, vector_space(len(numbers))) for name, numbers in _flat(observation).items())
    )


def observed(observation: Observation, *, as_dict: bool) -> Any:
    """Return an observation as an element of its space."""
    if not as_dict:
        return np.array(observation.vector(), dtype=np.float32)
    return {name: np.array(numbers, dtype=np.float32) for name, numbers in _flat(observation).items()}


def vector_space(size: int) -> spaces.Box:
    """Return the space of vectors of some numbers of an observation."""
    return spaces.Box(-LARGEST_VALUE, LARGEST_VALUE, (size,), np.float32)


def _flat(observation: Observation) -> dict[str, Any]:
    """Return the vectors of all features, in the order of the observation's vector.

    They are called ``own.Feature`` of the seat, and ``owner.Feature`` of others.
    """
    own = {f"own.{name}": observation.local[name] for name in sorted(observation.local)}
    others = {
        f"{owner}.{name}": features[name]
        for owner, features in sorted(observation.global_info.items())
        for name in sorted(features)
    }
    return own | others
