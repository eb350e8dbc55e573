"""Briefings in a file: the background of a seat, and reasons for its preferences by issue and by value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from negoplatform.domain.briefing import Briefing, Level, Sentences
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.issue import Issue
from negoplatform.formats.game_files.seat_preferences import describe_levels, levels_of
from negoplatform.formats.strict_json import StrictModel, single_line

LONGEST_SENTENCE = 200
"""Maximum length of a sentence of a briefing, in characters."""


def _sentence(text: str) -> str:
    if not text.strip():
        raise ValueError("the text must not be empty")
    return text


Sentence = Annotated[str, Field(max_length=LONGEST_SENTENCE), AfterValidator(_sentence)]
Reasons = Annotated[tuple[Sentence, ...], Field(fail_fast=True, min_length=1, max_length=20)]


class BriefedModel(StrictModel):
    """Part of a file with a briefing: a seat, or a profile."""

    background: Annotated[tuple[Sentence, ...], Field(fail_fast=True, max_length=6)] = ()
    reasons: Annotated[dict[str, Reasons], Field(default_factory=dict, max_length=100)]
    value_reasons: Annotated[
        dict[str, Annotated[dict[str, Reasons], Field(max_length=1000)]],
        Field(default_factory=dict, max_length=100),
    ]

    def briefing(self, issues: Mapping[str, Issue], path: object, where: str) -> Briefing:
        """Return the briefing.

        Args:
            issues: The game's issues by name.
            path: The file, for errors.
            where: The place of this part in the file, for errors.

        Raises:
            InputFileError: If it names an issue or a value that does not exist.
        """
        for key, given in (("reasons", self.reasons), ("value_reasons", self.value_reasons)):
            for name in given:
                if name not in issues:
                    raise InputFileError(
                        path,
                        f"{where}.{key}.{single_line(name, 80)}",
                        single_line(f"the game has no such issue; it has {', '.join(issues)}"),
                    )
        by_value = tuple(
            (name, _by_level(given, issues[name], path, f"{where}.value_reasons.{name}"))
            for name, given in self.value_reasons.items()
        )
        return Briefing(self.background, tuple(self.reasons.items()), by_value)


def _by_level(
    given: Mapping[str, Sentences], issue: Issue, path: object, where: str
) -> tuple[tuple[Level, Sentences], ...]:
    levels = {str(level): level for level in levels_of(issue)}
    for key in given:
        if key not in levels:
            raise InputFileError(
                path,
                f"{where}.{single_line(key, 80)}",
                single_line(f"{issue.name!r} never comes out so; it is {describe_levels(issue)}"),
            )
    return tuple((levels[key], sentences) for key, sentences in given.items())


def dump_briefing(briefing: Briefing) -> dict[str, Any]:
    """Return a briefing as keys of a seat or a profile, without those that are empty."""
    document: dict[str, Any] = {}
    if briefing.background:
        document["background"] = list(briefing.background)
    if briefing.reasons:
        document["reasons"] = {issue: list(sentences) for issue, sentences in briefing.reasons}
    if briefing.value_reasons:
        document["value_reasons"] = {
            issue: {str(level): list(sentences) for level, sentences in levels}
            for issue, levels in briefing.value_reasons
        }
    return document
