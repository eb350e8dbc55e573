"""English of docstrings: noun phrases, imperatives for functions, and no private vocabulary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.pages import ROOT

FOLDERS = ("negoplatform", "agents", "benchmarks", "packaging", "scripts", "tests")
FILES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "plugin_files" not in path.parts  # files of other authors, kept as they were written
]

OPENINGS = re.compile(
    r"(?:What|Who|Whoever|Whose|Whom|Nobody|Somebody|Someone|Anybody|Everybody|Everything|Something|Nothing|Anything"
    r"|Where|When|How|Which|Tells|Told|Says|Said|Hears|Knows|Keeps|Wants|Asks|Looks|Sits|Stands|Lives|Gives|Takes"
    r"|Makes|Notices|Puts|Holds|So (?:many|long|often|much|far|large|few)|It|Its|They|There|Here|Lest|One)\b"
)
"""Openings ruled out in every docstring: question words, pronouns, verbs in the third person."""

HABITS = re.compile(
    r"\b(?:nobody|somebody|whoever|lest|anew|beside|mind|brain|tenancy|understudy|casting|retrace|lobby|desk)\b",
    re.IGNORECASE,
)
"""Words that the present names and plain technical English have replaced."""


NOT_IMPERATIVE = re.compile(r"(?:The|A|An|Whether|All|Each|Every|Any|No|This|[A-Z][a-z]*[a-hj-rtv-z]s)\b")
"""Openings of a function's docstring other than a verb in the imperative."""


class Docstring(NamedTuple):
    """Docstring of a module, class, function or attribute."""

    where: str
    text: str
    is_function: bool


def docstrings(path: Path) -> Iterator[Docstring]:
    """Yield every docstring of a file, except those of the shipped agents' classes.

    These are descriptions in the window: they are translated, and in the third person.
    """
    is_agent = path.parent.name == "agents"
    for node in owners(ast.parse(path.read_text(encoding="utf-8"))):
        body = node.body
        for before, statement in zip([None, *body], body, strict=False):
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text)), lineno=line):
                    describes_agent = is_agent and isinstance(node, ast.ClassDef) and before is None
                    documents = before is None or isinstance(before, ast.Assign | ast.AnnAssign)
                    if documents and not describes_agent:
                        yield Docstring(
                            f"{path.relative_to(ROOT)}:{line}",
                            text.strip(),
                            before is None and is_function(node),
                        )


def is_function(node: ast.AST) -> bool:
    """Return whether a node is a function or a method; a property is documented like an attribute."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not any(
        "property" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def owners(node: ast.AST) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the modules, classes and functions of a tree; most nodes are expressions, which hold none."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield from owners(child)


@pytest.fixture(scope="module")
def all_docstrings() -> list[Docstring]:
    return [docstring for path in FILES for docstring in docstrings(path)]


def test_every_file_is_read(all_docstrings: list[Docstring]) -> None:
    assert len(all_docstrings) > 4000


def test_no_docstring_begins_with_a_question_word_or_a_verb_in_the_third_person(
    all_docstrings: list[Docstring],
) -> None:
    found = [f"{where}: {text.splitlines()[0]}" for where, text, _ in all_docstrings if OPENINGS.match(text)]

    assert found == []


def test_a_function_s_docstring_begins_with_a_verb_in_the_imperative(all_docstrings: list[Docstring]) -> None:
    found = [
        f"{docstring.where}: {docstring.text.splitlines()[0]}"
        for docstring in all_docstrings
        if docstring.is_function and NOT_IMPERATIVE.match(docstring.text)
    ]

    assert found == []


def test_no_docstring_has_a_word_that_was_replaced(all_docstrings: list[Docstring]) -> None:
    found = [f"{where}: {word[0]}" for where, text, _ in all_docstrings if (word := HABITS.search(text))]

    assert found == []
