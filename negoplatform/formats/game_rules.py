"""The rules that a game file may set."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from negoplatform.domain.agent_budget import DEFAULT_BUDGET
from negoplatform.domain.game import Acceptance, Rules
from negoplatform.formats.agent_budget import BudgetModel, dump_budget
from negoplatform.formats.strict_json import Seconds, StrictModel

DelaySeconds = Annotated[float, Field(ge=0, le=3600)]
"""Seconds of session time, perhaps none."""


class RulesModel(StrictModel):
    """The rules in a file."""

    acceptance: Acceptance = Acceptance.BOTH_CONFIRM
    allow_partial: bool = False
    deadline_seconds: Seconds | None = None
    time_tick_seconds: Seconds = 5.0
    share_drafts: bool = False
    reads_talk: bool = True
    reading_language: Annotated[str, Field(pattern=r"^([a-z]{2,3})?$")] = ""
    agents: BudgetModel = BudgetModel()
    help_pauses: bool = False
    show_left_on_table: bool = False
    opening_delay_seconds: DelaySeconds | None = None
    closing_seconds: DelaySeconds | None = None

    def value(self) -> Rules:
        """The rules."""
        return Rules(
            acceptance=self.acceptance,
            allow_partial=self.allow_partial,
            deadline_seconds=self.deadline_seconds,
            time_tick_seconds=self.time_tick_seconds,
            share_drafts=self.share_drafts,
            reads_talk=self.reads_talk,
            reading_language=self.reading_language,
            agents=self.agents.with_defaults(DEFAULT_BUDGET),
            help_pauses=self.help_pauses,
            show_left_on_table=self.show_left_on_table,
            opening_delay_seconds=self.opening_delay_seconds,
            closing_seconds=self.closing_seconds,
        )


def dump_rules(rules: Rules) -> dict[str, Any]:
    """Rules as a JSON value."""
    document: dict[str, Any] = {
        "acceptance": rules.acceptance.value,
        "allow_partial": rules.allow_partial,
        "deadline_seconds": rules.deadline_seconds,
        "time_tick_seconds": rules.time_tick_seconds,
        "share_drafts": rules.share_drafts,
    }
    # What few games set is left out of the others' files and logs.
    if not rules.reads_talk:
        document["reads_talk"] = False
    if rules.reading_language:
        document["reading_language"] = rules.reading_language
    if rules.help_pauses:
        document["help_pauses"] = True
    if rules.show_left_on_table:
        document["show_left_on_table"] = True
    if rules.opening_delay_seconds is not None:
        document["opening_delay_seconds"] = rules.opening_delay_seconds
    if rules.closing_seconds is not None:
        document["closing_seconds"] = rules.closing_seconds
    budget = dump_budget(rules.agents)
    return {**document, "agents": budget} if budget else document
