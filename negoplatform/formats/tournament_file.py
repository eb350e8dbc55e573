"""Tournament file: the agents, the games and the seeds of a tournament, and what is kept of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from negoplatform.domain.game import MOST_OFFERS
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, read_text, validate_json
from negoplatform.formats.windows_file_names import is_device_name

TOURNAMENT_SCHEMA: Literal["negoplatform.tournament/1"] = "negoplatform.tournament/1"

LARGEST_SEED = 2**53

LONGEST_NAME = 60
"""Characters of an agent's name."""

MOST_SEEDS = 1_000_000
"""Maximum number of seeds."""

Wanted = Annotated[str, Field(min_length=1, max_length=4000)]
"""Name from the catalogue, or a path relative to the file's folder."""


def check_entrant_name(text: str) -> str:
    """Return an agent's name in a tournament: as a folder and in a cell of a table it is taken as it is.

    Raises:
        ValueError: If it is not one.
    """
    allowed = all(char.isalnum() or char in "_-.@ " for char in text)
    whole = text[:1].isalnum() and text[-1:] not in ". " and "--" not in text and not is_device_name(text)
    if not allowed or not whole or len(text) > LONGEST_NAME:
        raise ValueError(
            "an agent's name in a tournament begins with a letter or digit and goes on with letters, digits, "
            f"spaces, _, -, . or @, without two hyphens in a row, {LONGEST_NAME} characters at most"
        )
    return text


EntrantName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(check_entrant_name)]
"""Name of an agent in a tournament; it becomes the name of a folder."""


class EntrantModel(LazyStrictModel):
    """Agent of a tournament, with a name and settings of its own."""

    agent: Wanted
    name: EntrantName | None = None
    settings: dict[str, Any] = Field(default_factory=dict, max_length=100)


class SeedsModel(LazyStrictModel):
    """Seeds: so many, one after the other."""

    from_: Annotated[int, Field(ge=0, le=LARGEST_SEED - MOST_SEEDS, alias="from")] = 1
    n: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = 100


class DeadlineModel(LazyStrictModel):
    """Limits in place of each game's own: a number of offers, session time (s), or both."""

    offers: Annotated[int, Field(ge=1, le=MOST_OFFERS)] | None = None
    seconds: Annotated[float, Field(ge=1, le=86_400)] | None = None

    @model_validator(mode="after")
    def _check(self) -> DeadlineModel:
        if self.offers is None and self.seconds is None:
            raise ValueError("a deadline is a number of offers or of seconds; write offers, seconds or both")
        return self


class ModelPointsModel(LazyStrictModel):
    """Points of progress, above 0 and up to 1, at which agents are asked for their opponent models."""

    at: Annotated[list[Annotated[float, Field(gt=0, le=1)]], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _check(self) -> ModelPointsModel:
        if sorted(set(self.at)) != self.at:
            raise ValueError("the points of progress are in increasing order, each once")
        return self


class TournamentModel(LazyStrictModel):
    """Content of a tournament file."""

    schema_: Annotated[Literal["negoplatform.tournament/1"], Field(alias="schema")]
    agents: Annotated[list[Wanted | EntrantModel], Field(min_length=1, max_length=200)]
    games: Annotated[list[Wanted], Field(min_length=1, max_length=1000)]
    seeds: SeedsModel = SeedsModel()
    seatings: Literal["given", "both"] = "both"
    self_play: bool = True
    deadline: DeadlineModel | None = None
    talk: bool = False
    keep_logs: Literal["none", "failed", "all"] = "failed"
    measures: bool = True
    models: ModelPointsModel | None = None
    score: Literal["advantage", "points", "welfare"] = "advantage"

    @model_validator(mode="after")
    def _check(self) -> TournamentModel:
        if len(self.agents) == 1 and not self.self_play:
            raise ValueError("one agent alone has no opponent; name another one, or write self_play: true")
        if self.score == "welfare" and not self.measures:
            raise ValueError("the score welfare is one of the measures; write measures: true")
        twice = [name for name, n in Counter(self.games).items() if n > 1]
        if twice:
            raise ValueError(f"the game {twice[0]!r} appears twice; keep one of them")
        return self


def read_tournament(path: Path) -> TournamentModel:
    """Return the content of a tournament file.

    Raises:
        InputFileError: If it is not a valid tournament file; with file, place and reason.
    """
    text = read_text(path)
    parse_json(text, path)
    return validate_json(TournamentModel, text, path)


def tournament_of(document: dict[str, Any], origin: str) -> TournamentModel:
    """Return a tournament from its values.

    Args:
        document: The values of a tournament file, without the schema.
        origin: The origin of the values, for error messages.

    Raises:
        InputFileError: If they are not valid.
    """
    text = json.dumps({"schema": TOURNAMENT_SCHEMA, **document})
    return validate_json(TournamentModel, text, origin)


def dump_tournament(model: TournamentModel) -> dict[str, Any]:
    """Return the content of a tournament file with all defaults; reading it gives an equal tournament."""
    return model.model_dump(by_alias=True, exclude_none=True)
