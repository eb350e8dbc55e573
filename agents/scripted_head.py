"""A principal that follows a list of instructions, such as to be tough after the third minute."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from negoplatform.agent_api import Instruct, PrincipalAgent


class TimedInstruction(BaseModel):
    """Instruction that is due at a time."""

    model_config = ConfigDict(extra="forbid")

    at_seconds: Annotated[float, Field(ge=0, le=86_400)]
    to: str
    mandate: dict[str, Any] = Field(default_factory=dict)
    text: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="after")
    def says_something(self):
        if not self.mandate and not self.text:
            raise ValueError("an instruction has a mandate or a text")
        return self


class ScriptedHead(PrincipalAgent):
    """Gives the instructions of its settings, each at the first tick at or after its time.

    ``to`` names a seat, or a principal, directly below it.
    """

    class Settings(BaseModel):
        instructions: Annotated[list[TimedInstruction], Field(max_length=100)] = Field(
            default_factory=list, title="Instructions", description="Each with at_seconds, to, mandate, text."
        )

    def reset(self):
        self.waiting = sorted(self.settings.instructions, key=lambda one: one.at_seconds)

    def check_game(self, game):
        below = game.principals[self.agent_id].over
        for one in self.settings.instructions:
            if one.to not in below:
                raise ValueError(f"an instruction is for {one.to!r}, and below are {', '.join(below)}")

    def get_name(self):
        return self.get_config("name", "Head")

    def on_tick(self, ctx):
        due = [one for one in self.waiting if one.at_seconds <= ctx.elapsed_time]
        self.waiting = self.waiting[len(due) :]
        return [Instruct(one.to, one.mandate, one.text) for one in due]
