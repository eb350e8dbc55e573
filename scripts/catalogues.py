"""Collection of the window's sentences and the texts of shipped games and agents: ``make catalogues``.

New sentences are added to each ``negoplatform.po`` without a translation; those that are no longer used are
removed. The translated ones are compiled to the ``.mo`` that the program reads. With ``--check`` nothing is
written, and the missing translations are printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from negoplatform.app.catalogue.search_path import agent_files, default_name, game_files
from negoplatform.app.session.practice_session import practice_game
from negoplatform.app.support.translation_catalogues import AGENTS_CONTEXT, game_context, singular_context
from negoplatform.domain.game_display_texts import counted_titles, paragraphs, translatable_texts
from negoplatform.formats.games import load_game
from negoplatform.plugins.agent_loader import AgentPlugin, load_agent_class, load_agents
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.agent_option_fields import agent_options
from negoplatform.presentation.table.practice_guide import practice_words

ROOT = Path(__file__).parent.parent
CODE = tuple(ROOT / "negoplatform" / package for package in ("gui", "presentation"))
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = ("de", "he")
DATE = datetime(2026, 1, 1, tzinfo=UTC)

KEYWORDS = {"translate": None, "plural": (1, 2), "gettext_noop": None}
"""Calls whose arguments are translated, and the positions of these arguments."""


def new(language: str | None = None) -> Catalog:
    """Return an empty catalogue. Its dates never change: the history in git is enough."""
    return Catalog(
        locale=language,
        project="NegoPlatform",
        version="1",
        header_comment="# What the window of NegoPlatform says.",
        copyright_holder="the authors of NegoPlatform",
        creation_date=DATE,
        revision_date=DATE,
        last_translator="the authors of NegoPlatform",
        language_team="none",
        fuzzy=False,
    )


def collected() -> Catalog:
    """Return a catalogue of all sentences, without their positions, so that only changed words change it."""
    catalogue = new()
    for folder in CODE:
        for _file, _line, message, _comments, _context in extract_from_dir(
            str(folder), method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            catalogue.add(message)
    for context, text in shipped():
        catalogue.add(text, context=context)
    return catalogue


def shipped() -> Iterator[tuple[str, str]]:
    """Yield every text of the shipped games and agents that the window shows, with its context."""
    practice = practice_game(practice_words(ENGLISH), language="en", reads_talk=False)
    games = [load_game(file) for file in game_files(bundled("games"))]
    # What else is read in the guided practice is said by the window.
    yield from ((game_context(practice.name), issue.title) for issue in practice.issues)
    for game in games:
        context = game_context(game.name)
        yield from ((context, text) for text in translatable_texts(game) if worded(text))
    for game in (practice, *games):
        context = singular_context(game_context(game.name))
        yield from ((context, title) for title in counted_titles(game))
    for agent in (
        one for file in agent_files(bundled("agents")) for one in load_agents(file, default_name(file))
    ):
        yield from ((AGENTS_CONTEXT, text) for text in agent_texts(agent) if worded(text))


def worded(text: str) -> bool:
    """Return whether a text has letters: figures alone are the same in every language."""
    return any(map(str.isalpha, text))


def agent_texts(agent: AgentPlugin) -> Iterator[str]:
    """Yield an agent's texts about itself."""
    yield agent.description
    for option in agent_options(agent.options):
        yield from (option.title, option.description)
    made_by = load_agent_class(agent.file, agent.class_name, agent.sha256)
    yield from paragraphs(agent.manifest.debriefing or made_by.debriefing)


def path_of(language: str) -> Path:
    """Return the path of a language's catalogue in its editable form."""
    return FOLDER / language / "LC_MESSAGES" / "negoplatform.po"


def read(language: str) -> Catalog:
    """Return a language's catalogue; an empty one if it has none yet."""
    path = path_of(language)
    if not path.exists():
        return new(language)
    return read_po(BytesIO(path.read_bytes()), locale=language)


def untranslated(catalogue: Catalog, wanted: Catalog) -> list[str]:
    """Return the sentences that a catalogue lacks, or has only as a guess."""
    missing = []
    for message in wanted:
        known = catalogue.get(message.id, message.context) if message.id else None
        if message.id and (known is None or known.fuzzy or not all(_texts(known.string))):
            missing.append(str(message.id))
    return missing


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue in the form that the program reads."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def update(language: str, wanted: Catalog) -> list[str]:
    """Write a language's two files; return the sentences that are still untranslated."""
    catalogue = read(language)
    catalogue.update(wanted, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    out = BytesIO()
    write_po(out, catalogue, width=100, sort_output=True, omit_header=False, no_location=True)
    path.write_bytes(out.getvalue())
    path.with_suffix(".mo").write_bytes(compiled(catalogue))
    return untranslated(catalogue, wanted)


def main() -> int:
    """Update all languages, or only check them with ``--check``; return 1 if anything is untranslated."""
    wanted, check = collected(), "--check" in sys.argv
    lacking = 0
    for language in LANGUAGES:
        missing = untranslated(read(language), wanted) if check else update(language, wanted)
        for sentence in missing:
            print(f"{language}: {sentence}")
        lacking += len(missing)
    return 1 if lacking else 0


def _texts(string: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string or "",)


if __name__ == "__main__":
    sys.exit(main())
