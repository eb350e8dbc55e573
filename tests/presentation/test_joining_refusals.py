"""Sentences of the connection to a host, as a window shows them in another language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from negoplatform.app.joining import join_client, join_codes, join_link
from negoplatform.app.session.windows import session_windows
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.refusals_for_translation import localized_refusal

MODULES = (join_client, join_codes, join_link, session_windows)

VALUE = "a:7"
"""Value in place of each that a sentence has."""


def literal(node: ast.expr) -> str | None:
    """Return a text of the program, with its values replaced; None for any other expression."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in parts)
        case _:
            return None


def sentences() -> Iterator[str]:
    """Yield every text of the modules that is a sentence, without docstrings."""
    for module in MODULES:
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        inside = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in ast.walk(tree):
            text = literal(node) if isinstance(node, ast.expr) else None
            if text and id(node) not in docstrings | inside and text.endswith(".") and " " in text:
                yield text


def test_the_sentences_of_the_connection_are_found() -> None:
    found = set(sentences())

    assert f"The host at {VALUE} does not accept this code." in found
    assert "The host has ended." in found
    assert "The connection was lost for too long, so an agent has taken your seat." in found
    assert len(found) > 30


@pytest.mark.parametrize("language", ["de", "he"])
def test_every_sentence_of_the_connection_is_translated(language: str) -> None:
    translate = Language.load(language)

    english = [text for text in set(sentences()) if localized_refusal(text, translate) == text]

    assert english == []


@pytest.mark.parametrize("language", ["de", "he"])
def test_values_stay_in_a_translated_sentence(language: str) -> None:
    translate = Language.load(language)

    shown = localized_refusal(
        "Wrong codes were sent from this computer’s address, so the host at 10.0.0.1:47500 checks the next "
        "one in 8 s.",
        translate,
    )

    assert "10.0.0.1:47500" in shown
    assert "8" in shown.replace("10.0.0.1:47500", "")
