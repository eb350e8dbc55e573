"""The help page: the same text as in the handbook, and true to the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.domain.game import Rules
from negoplatform.presentation.i18n import ENGLISH, LANGUAGES, Language
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.presentation.table.work_presenter import USUAL_RULES
from negoplatform.presentation.work_presenters import WORK_PRESENTERS
from tests.presentation.bargaining_desk import help_page

PAGE = Path(__file__).parents[3] / "docs" / "participant.md"

SEVERAL = "In a game with several others the page says instead, or besides:"

KINDS = {"trading": "In a trading game", "market": "In a market"}

LIMITED = Rules(deadline_offers=4)

OF_ITS_KIND = "In such a game the page says instead, or besides:"

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


def with_several(usual: RulesView, several: RulesView) -> str:
    """Return what the page says where there are several others, in the form of the handbook."""
    known = {text for _heading, paragraphs in usual.sections for text in paragraphs}
    told = [text for _heading, paragraphs in several.sections for text in paragraphs if text not in known]
    listed = "\n".join(f"- {text}" for text in told)
    return f"\n## With several others\n\n{SEVERAL}\n\n{listed}\n"


def with_kinds(usual: RulesView) -> str:
    """Return what the page says in games of other kinds with several others, in the form of the handbook."""
    known = {text for _heading, paragraphs in usual.sections for text in paragraphs}
    parts = ""
    for kind, heading in KINDS.items():
        view = help_view(ENGLISH, WORK_PRESENTERS[kind]().help(ENGLISH, several=True), several=True)
        told = [text for _heading, paragraphs in view.sections for text in paragraphs if text not in known]
        parts += f"\n## {heading}\n\n{OF_ITS_KIND}\n\n" + "".join(f"- {text}\n" for text in told)
    return parts


def with_offer_limit(usual: RulesView, limited: RulesView) -> str:
    """Return what the page says besides where offers are limited, in the form of the handbook."""
    known = {text for _heading, paragraphs in usual.sections for text in paragraphs}
    told = [text for _heading, paragraphs in limited.sections for text in paragraphs if text not in known]
    listed = "".join(f"- {text}\n" for text in told)
    return f"\n## With a limited number of offers\n\nIn such a game the page says besides:\n\n{listed}"


def words(view: RulesView) -> str:
    return " ".join(text for _heading, paragraphs in view.sections for text in paragraphs)


def test_the_handbook_says_what_the_program_says() -> None:
    usual, several = help_page(ENGLISH), help_page(ENGLISH, several=True)

    assert PAGE.read_text(encoding="utf-8") == (
        page(usual)
        + with_offer_limit(usual, help_page(ENGLISH, rules=LIMITED))
        + with_several(usual, several)
        + with_kinds(usual)
    )


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_buttons_are_called_as_they_are_called_on_the_window(language: str) -> None:
    translate = Language.load(language)
    told = words(help_page(translate))

    assert [name for name in NAMED if translate(name) not in told] == []


@pytest.mark.parametrize("rules", [USUAL_RULES, LIMITED], ids=["usual", "limited"])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_sentence_of_the_page_is_said_in_every_language(
    language: str, several: bool, rules: Rules
) -> None:
    ours = help_page(Language.load(language), several=several, rules=rules)
    english = help_page(ENGLISH, several=several, rules=rules)

    kept = set(words(ours).split(". ")) & set(words(english).split(". "))
    assert (kept, len(ours.sections)) == (set(), len(english.sections))


@pytest.mark.parametrize("several", [False, True])
def test_the_page_of_bargaining_without_talk_names_nothing_to_talk_with(several: bool) -> None:
    rules = Rules(talk=False)
    help_texts = WORK_PRESENTERS["bargaining"]().help(ENGLISH, several=several, rules=rules)

    text = words(help_view(ENGLISH, help_texts, several=several, talks=False))

    for talked in ("message", "face", "typing", "Decline", "What would you give me"):
        assert talked not in text, talked
    assert "Counter" in text
    assert "when you’re building one" in text
