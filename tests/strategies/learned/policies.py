"""Small policies for tests, with weights that are set by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.plugins.program_and_user_folders import user_folder
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.training.episode import Episode
from negoplatform.training.setup import find_settings


def constant_policy(
    game: str, *, seat: str | None = None, outputs: dict[int, float] | None = None, **content: Any
) -> dict[str, Any]:
    """Return the content of a policy's file whose outputs are the same at every moment.

    Args:
        game: The name of its game.
        seat: Its seat; None: the first one.
        outputs: The outputs that are not 0, by number.
        content: Further keys of the file.
    """
    spec = find_game(game, user_folder())
    own = seat or spec.seats[0]
    settings = find_settings(spec, {}, step_seconds=5, codec=content.get("codec"), log=None)
    episode = Episode(settings, 0)
    observed = len(episode.observation(own).vector())
    codec: ActionCodec = codec_of(episode.game, own, content.get("codec"))
    episode.finish()
    count = sum(codec.ncats) + codec.dim_c
    bias = [(outputs or {}).get(number, 0.0) for number in range(count)]
    return {
        "schema": "negoplatform.policy/1",
        "game": game,
        "mechanism": spec.mechanism,
        "seat": own,
        "codec": codec.name,
        "layers": [{"weights": [[0.0] * observed] * count, "bias": bias}],
        **content,
    }


def write_policy(path: Path, document: dict[str, Any]) -> Path:
    """Write a policy's file, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
