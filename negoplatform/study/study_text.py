"""Texts of studies: Markdown with headings, lists, emphasis, pictures, statements to tick, placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from negoplatform.domain.errors import InputFileError

PLACEHOLDERS = (
    "amount",
    "code",
    "contact",
    "currency",
    "lab",
    "least",
    "most",
    "partner",
    "rate",
    "rounds",
    "service",
    "show_up",
    "station",
    "title",
    "withdrawal_code",
)
"""Names that a text may have in braces, and that are replaced when it is shown."""

TICK = re.compile(r"\[ \] ([a-z][a-z0-9_]*): ?")
"""Beginning of a list's item that is a statement to tick: ``- [ ] age: I am at least 18 years old.``"""

_PLACEHOLDER = re.compile(r"\{([^{}\n]*)\}")


@dataclass(frozen=True, slots=True)
class Span:
    """Part of a paragraph.

    Args:
        text: Its text.
        bold: Whether it is bold.
        italic: Whether it is italic.
    """

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Block of a text.

    Args:
        kind: ``heading``, ``paragraph``, ``item``, ``tick`` or ``picture``.
        spans: Its text; of a picture, its description.
        level: Level of a heading from 1, or depth of a list from 1.
        marker: Number of an ordered item, such as ``2.``; id of a statement to tick; file of a picture.
    """

    kind: str
    spans: tuple[Span, ...]
    level: int = 0
    marker: str = ""

    @property
    def plain(self) -> str:
        """The text without emphasis."""
        return "".join(span.text for span in self.spans)


def parse_text(text: str, path: object = "text") -> tuple[TextBlock, ...]:
    """Return the blocks of a text.

    Raises:
        InputFileError: If it has anything that is not shown: tables, code, links, HTML, quotations.
    """
    try:
        return _parsed(text)
    except InputFileError as error:
        raise InputFileError(path, error.where, error.reason) from None


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[TextBlock, ...]:
    """Return the blocks of a text; cached, as one check of a study reads each text several times."""
    tokens = MarkdownIt("commonmark", {"html": False}).parse(text)
    blocks: list[TextBlock] = []
    lists: list[int | None] = []
    heading = 0
    marker = ""
    for token in tokens:
        match token.type:
            case "heading_open":
                heading = int(token.tag[1:])
            case "heading_close":
                heading = 0
            case "bullet_list_open":
                lists.append(None)
            case "ordered_list_open":
                lists.append(int(token.attrGet("start") or 1) - 1)
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "list_item_open":
                number = lists[-1]
                if number is not None:
                    lists[-1] = number + 1
                    marker = f"{number + 1}."
                else:
                    marker = "•"
            case "inline":
                blocks += _inline_blocks(token, heading, len(lists), marker)
                marker = ""
            case "paragraph_open" | "paragraph_close" | "list_item_close":
                pass
            case other:
                line = (token.map or [0])[0] + 1
                raise InputFileError(
                    "text", f"line {line}", f"{_describe(other)} cannot be shown; write it as text"
                )
    return tuple(blocks)


_UNSHOWN = {
    "fence": "code",
    "code_block": "an indented block",
    "hr": "a line",
    "blockquote_open": "a quotation",
    "html_block": "HTML",
    "code_inline": "code",
    "link_open": "a link",
    "html_inline": "HTML",
}


def _describe(token: str) -> str:
    return _UNSHOWN.get(token, "this")


def _inline_blocks(token: Token, heading: int, depth: int, marker: str) -> list[TextBlock]:
    line = (token.map or [0])[0] + 1
    spans: list[Span] = []
    pictures: list[TextBlock] = []
    bold = italic = 0
    for child in token.children or []:
        match child.type:
            case "text":
                spans.append(Span(child.content, bool(bold), bool(italic)))
            case "softbreak" | "hardbreak":
                spans.append(Span("\n" if child.type == "hardbreak" else " ", bool(bold), bool(italic)))
            case "strong_open" | "strong_close":
                bold += child.nesting
            case "em_open" | "em_close":
                italic += child.nesting
            case "image":
                source = str(child.attrGet("src") or "")
                pictures.append(TextBlock("picture", (Span(child.content),), marker=source))
            case other:
                raise InputFileError(
                    "text", f"line {line}", f"{_describe(other)} cannot be shown; write it as text"
                )
    spans = [span for span in spans if span.text]
    if not "".join(span.text for span in spans).strip():
        return pictures
    if heading:
        return [TextBlock("heading", tuple(spans), heading), *pictures]
    if not depth:
        return [TextBlock("paragraph", tuple(spans)), *pictures]
    if tick := TICK.match(spans[0].text):
        first = Span(spans[0].text[tick.end() :], spans[0].bold, spans[0].italic)
        return [TextBlock("tick", (first, *spans[1:]), depth, tick.group(1)), *pictures]
    return [TextBlock("item", tuple(spans), depth, marker), *pictures]


def unknown_placeholders(text: str) -> list[str]:
    """Return the placeholders of a text that there are not."""
    return [name for name in _PLACEHOLDER.findall(text) if name not in PLACEHOLDERS]


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its placeholders replaced by their values; those without a value stay."""
    return _PLACEHOLDER.sub(lambda found: values.get(found.group(1), found.group(0)), text)


def fill_blocks(blocks: Iterable[TextBlock], values: Mapping[str, str]) -> tuple[TextBlock, ...]:
    """Return blocks with their placeholders replaced: after parsing, so that no value is read as Markdown."""
    return tuple(
        TextBlock(
            block.kind,
            tuple(Span(fill(span.text, values), span.bold, span.italic) for span in block.spans),
            block.level,
            block.marker,
        )
        for block in blocks
    )
