"""The window's texts in other languages: complete, and without any that would raise an error."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog, Message

from negoplatform.presentation.i18n import Language
from negoplatform.presentation.time_and_points_text import points_text

ROOT = Path(__file__).parent.parent.parent
PLACE = re.compile(r"\{\w*\}")


def _load() -> ModuleType:
    """Load the script that collects the texts; ``scripts`` is not an importable package here."""
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "scripts" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script
    spec.loader.exec_module(script)
    return script


SCRIPT = _load()
LANGUAGES: tuple[str, ...] = SCRIPT.LANGUAGES


@pytest.fixture(scope="module")
def wanted() -> Catalog:
    """Current sentences of the window."""
    catalogue: Catalog = SCRIPT.collected()
    return catalogue


def _catalogue(language: str) -> Catalog:
    catalogue: Catalog = SCRIPT.read(language)
    return catalogue


def _forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def _sentences(catalogue: Catalog) -> list[Message]:
    """Return a catalogue's entries without the header."""
    return [message for message in catalogue if message.id]


def _said() -> Iterator[tuple[str, str]]:
    """Yield every literal sentence to be translated in the code, also in f-strings, with its place."""
    for path in sorted(file for folder in SCRIPT.CODE for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            said = first.value if isinstance(first, ast.Constant) else None
            if name.strip("_") in SCRIPT.KEYWORDS and isinstance(said, str) and said:
                yield said, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_what_is_said_is_collected(wanted: Catalog) -> None:
    """Detect a call in an f-string or under another name, which the collection misses."""
    known = {_forms(message.id)[0] for message in _sentences(wanted)}
    assert [f"{place} {text}" for text, place in _said() if text not in known] == []


def test_what_is_counted_is_collected_with_both_forms(wanted: Catalog) -> None:
    """Detect a lost second form: the collection misses it if a comma in brackets follows."""
    lost = []
    for path in sorted(file for folder in SCRIPT.CODE for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", "") == "plural"
                and len(node.args) > 2
            ):
                forms = tuple(each.value for each in node.args[:2] if isinstance(each, ast.Constant))
                message = wanted.get(str(forms[0])) if len(forms) == 2 else None
                if message is None or message.id != forms:
                    lost.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str, wanted: Catalog) -> None:
    """Require every plural form of the language."""
    assert SCRIPT.untranslated(_catalogue(language), wanted) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_nobody_says(language: str, wanted: Catalog) -> None:
    known = {(message.context, message.id) for message in _sentences(wanted)}
    kept = [(message.context, message.id) for message in _sentences(_catalogue(language))]
    assert [each for each in kept if each not in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_places_of_its_original(language: str) -> None:
    """Reject a missing place, which hides a value, and an extra one or a lone brace, which raise errors."""
    wrong = []
    for message in _sentences(_catalogue(language)):
        originals = _forms(message.id)
        # A form for one may leave the number out where the original does.
        places = [sorted(PLACE.findall(original)) for original in originals]
        for form in filter(None, _forms(message.string)):
            lone = set("{}") & set(PLACE.sub("", form))
            if sorted(PLACE.findall(form)) not in places or lone:
                wrong.append((originals, form))
    assert wrong == []


def test_hebrew_is_written_in_hebrew() -> None:
    """Detect sentences of another language: they contain letters, and no Hebrew one."""
    wrong = []
    for message in _sentences(_catalogue("he")):
        worded = re.search("[a-z]{2}", PLACE.sub("", _forms(message.id)[0]))
        foreign = [form for form in _forms(message.string) if re.search(r"[^\W\d_]", form)]
        wrong += [form for form in foreign if worded and not re.search("[א-ת]", form)]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_reads_what_people_wrote(language: str) -> None:
    """Compare the ``.mo`` with the ``.po``, entry by entry."""
    catalogue = _catalogue(language)
    with SCRIPT.path_of(language).with_suffix(".mo").open("rb") as file:
        read = gettext.GNUTranslations(file)
    found: dict[str | tuple[str, int], str] = dict(read._catalog)  # type: ignore[attr-defined]
    found.pop("")
    written: dict[str | tuple[str, int], str] = {}
    for message in _sentences(catalogue):
        if isinstance(message.id, str):
            key = f"{message.context}\x04{message.id}" if message.context else message.id
            written[key] = str(message.string)
        else:
            written |= {(message.id[0], i): form for i, form in enumerate(_forms(message.string))}
    assert found == {key: text for key, text in written.items() if text}


@pytest.mark.parametrize(
    ("language", "points", "words"),
    [
        ("de", 1, "1 Punkt"),
        ("de", 2, "2 Punkte"),
        ("de", 2.5, "2,5 Punkte"),
        ("de", 0, "0 Punkte"),
        ("he", 1, "נקודה"),
        ("he", 2, "2 נקודות"),
        ("he", 2.5, "2.5 נקודות"),
    ],
)
def test_points_are_counted_in_every_language(language: str, points: float, words: str) -> None:
    told = points_text(points, Language.load(language))
    # Hebrew puts one behind what it counts, and may write it as a word.
    assert words in told if (language, points) == ("he", 1) else told == words
