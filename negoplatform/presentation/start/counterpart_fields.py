"""Form fields for the mood and the pace of the agents at the table; without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.domain.counterpart_settings import (
    LEAST_FACE_SECONDS,
    LEAST_PACE,
    MOST_FACE_SECONDS,
    MOST_PACE,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression
from negoplatform.presentation.expression_words import EXPRESSION_WORDS
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import (
    AgentOption,
    Entered,
    parse_settings,
)


def counterpart_options(translate: Language) -> tuple[AgentOption, ...]:
    """Return the fields; an empty one leaves the game's own setting."""
    return (
        AgentOption(
            "mood",
            translate("Resting mood"),
            translate("The face that the agent has while it shows no other."),
            "choice",
            choices=(None, *(expression.value for expression in Expression)),
            choice_titles=(
                translate("As in the game"),
                *(translate(EXPRESSION_WORDS[expression]) for expression in Expression),
            ),
        ),
        AgentOption(
            "mood_intensity",
            translate("Intensity of the mood"),
            translate("How strongly the resting mood shows."),
            "number",
            minimum=0,
            maximum=1,
        ),
        AgentOption(
            "face_seconds",
            translate("Seconds per face"),
            translate("How long each expression is shown. Leave empty to let the agent decide."),
            "number",
            minimum=LEAST_FACE_SECONDS,
            maximum=MOST_FACE_SECONDS,
        ),
        AgentOption(
            "pace",
            translate("Pace"),
            translate("Multiplies the agent’s pauses: 2 makes it half as fast."),
            "number",
            minimum=LEAST_PACE,
            maximum=MOST_PACE,
        ),
    )


def entered_counterpart(values: Mapping[str, Any]) -> dict[str, Entered]:
    """Return settings as the contents of their fields."""
    return {
        name: f"{value:g}" if isinstance(value, int | float) else str(value) for name, value in values.items()
    }


def parse_counterpart(entered: Mapping[str, Entered], translate: Language) -> dict[str, Any]:
    """Return the settings that differ from the game's own.

    Raises:
        NegoError: If the contents of a field are invalid.
    """
    options = counterpart_options(translate)
    settings = parse_settings(options, entered, translate)
    for option in options:
        if option.name in settings.errors:
            raise NegoError(
                translate("{field}: {reason}", field=option.title, reason=settings.errors[option.name])
            )
    return dict(settings.values)
