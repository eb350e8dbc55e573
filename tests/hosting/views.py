"""Full content of a view as one text, equal for equal views."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.visibility import View
from negoplatform.formats.games import dump_game


def everything_in(view: View, now: float) -> list[str]:
    """Return the parts of a view: games as files, states by their values, histories by their events."""
    state = view.state
    # The order of a set differs between processes.
    parts: dict[str, Any] = {
        "observer": view.observer,
        "own game": json.dumps(dump_game(view.game)),
        "game": json.dumps(dump_game(state.game)),
        "own side": view.preferences and json.dumps(dump_game(view.game)["seats"]),
        "play": state.mechanism_state,
        "presence": [
            (seat, replace(shown, closing_actions=frozenset()), sorted(shown.closing_actions))
            for seat, shown in state.presence.items()
        ],
        "private": [(seat, list(part.transcript)) for seat, part in state.private.items()],
        "version": state.version,
        "t": state.t,
        "phase": state.phase,
        "transcript": list(state.transcript),
        "ending": (state.ending, state.ended_at),
        "typed": [
            (seat, type(typed).__name__, typed.model_dump_json()) for seat, typed in state.typed.items()
        ],
        "record": state.record,
        "session": state.session_id,
    }
    ctx = AgentContext(view, now=now, rng=Random(1))
    parts["context"] = (
        ctx.can_formally_accept(),
        ctx.get_agent_utility(),
        ctx.opponent_preferences_visible,
        ctx.state.model_dump_json(),
        ctx.observation.to_dict(),
        ctx.get_state(),
    )
    return [f"{name}: {part!r}" for name, part in parts.items()]
