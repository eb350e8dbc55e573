"""Budget of an agent, as a game file or an agent's settings set it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from negoplatform.domain.agent_limits import DEFAULT_BUDGET, END_SESSION, AgentBudget
from negoplatform.formats.strict_json import StrictModel, validate_json

LOG_HEADER_DEFAULTS = AgentBudget(
    load_seconds=10.0,
    soft_seconds=2.0,
    hard_seconds=5.0,
    strikes=3,
    restarts=1,
    fallback=END_SESSION,
    memory_mb=1024,
    cpu_seconds=3600,
    file_mb=16,
)
"""Values of what a log's header omits: the defaults of the first release.

Never changed, whatever the defaults become: a session is resumed under the budget that it began with.
"""

TimeoutSeconds = Annotated[float, Field(ge=0.01, le=600)]


def _agent_name(text: str) -> str:
    # A name and never a path: a game file from elsewhere must not choose which code is run.
    if not re.fullmatch(r"\w[\w -]{0,99}", text):
        raise ValueError("the fallback is end_session or the name of a shipped agent, such as fair; no path")
    return text


class BudgetModel(StrictModel):
    """Budget of an agent; omitted values are the defaults."""

    load_seconds: TimeoutSeconds | None = None
    soft_seconds: TimeoutSeconds | None = None
    hard_seconds: TimeoutSeconds | None = None
    strikes: Annotated[int, Field(ge=1, le=1000)] | None = None
    restarts: Annotated[int, Field(ge=0, le=100)] | None = None
    fallback: Annotated[str, AfterValidator(_agent_name)] | None = None
    memory_mb: Annotated[int, Field(ge=128, le=1_000_000)] | None = None
    cpu_seconds: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    file_mb: Annotated[int, Field(ge=1, le=100_000)] | None = None

    @model_validator(mode="after")
    def _soft_before_hard(self) -> BudgetModel:
        if self.soft_seconds and self.hard_seconds and self.soft_seconds > self.hard_seconds:
            raise ValueError("soft_seconds is longer than hard_seconds")
        return self

    def with_defaults(self, defaults: AgentBudget) -> AgentBudget:
        """Return the budget, with defaults for omitted values."""
        given = {name: value for name, value in self if value is not None}
        budget = replace(defaults, **given)
        if budget.soft_seconds <= budget.hard_seconds:
            return budget
        # Only one of the two was set; the other follows it.
        seconds = budget.hard_seconds if "hard_seconds" in given else budget.soft_seconds
        return replace(budget, soft_seconds=seconds, hard_seconds=seconds)


def load_budget(document: object, defaults: AgentBudget, path: object, where: str) -> AgentBudget:
    """Return the budget of a JSON value.

    Raises:
        InputFileError: If it is not a budget.
    """
    return validate_json(BudgetModel, json.dumps(document), path, where).with_defaults(defaults)


def dump_budget(budget: AgentBudget) -> dict[str, Any]:
    """Return a budget as a JSON value, without values that are the default now and in a log's header."""
    usual, left_out = asdict(DEFAULT_BUDGET), asdict(LOG_HEADER_DEFAULTS)
    return {
        name: value for name, value in asdict(budget).items() if not value == usual[name] == left_out[name]
    }
