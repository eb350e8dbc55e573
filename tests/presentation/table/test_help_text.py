"""The help page: the same text as in the handbook, and true to the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.presentation.i18n import ENGLISH, LANGUAGES, Language
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.table_view import RulesView

PAGE = Path(__file__).parents[3] / "docs" / "participant.md"

NAMED = (
    "Phrases",
    "Send as offer",
    "Just send as a message",
    "Undo",
    "Clear",
    "Start from their offer",
    "Compare",
    "Walk away",
    "Rules",
)
"""Labels of the window's buttons that the page names."""


def page(view: RulesView) -> str:
    """Return a page in the form of the handbook."""
    parts = [f"# {view.title}", view.subtitle]
    for heading, paragraphs in view.sections:
        parts += [f"## {heading}", "\n".join(f"- {text}" for text in paragraphs)]
    return "\n\n".join(parts) + "\n"


def words(view: RulesView) -> str:
    return " ".join(text for _heading, paragraphs in view.sections for text in paragraphs)


def test_the_handbook_says_what_the_program_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(help_view(ENGLISH))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_buttons_are_called_as_they_are_called_on_the_window(language: str) -> None:
    translate = Language.load(language)
    told = words(help_view(translate))

    assert [name for name in NAMED if translate(name) not in told] == []


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_sentence_of_the_page_is_said_in_every_language(language: str) -> None:
    ours, english = help_view(Language.load(language)), help_view(ENGLISH)

    kept = set(words(ours).split(". ")) & set(words(english).split(". "))
    assert (kept, len(ours.sections)) == (set(), len(english.sections))
