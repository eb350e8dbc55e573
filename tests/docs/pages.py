"""Code blocks of a guide, each with its marker."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\s*$")
MARKER = re.compile(r"^ *<!-- (?P<what>[a-z ]+): (?P<name>\S+) -->$")
BEGINS_A_LIST = re.compile(r"^ *(?:[-*]|\d+\.) ")


@dataclass(frozen=True, slots=True)
class Block:
    """Code block of a page.

    Args:
        page: Its page, relative to the root of the repository.
        line: The number of its first line.
        language: The language after its fence; ``indented`` for a block without a fence.
        text: The code, without the indentation of the whole block.
        what: The action in the marker above it; empty without a marker.
        name: The file or the agent that the action applies to.
    """

    page: str
    line: int
    language: str
    text: str
    what: str = ""
    name: str = ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: str) -> Iterator[Block]:
    """Yield the code blocks of a page, in order, including those that are merely indented."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    fence: re.Match[str] | None = None
    begun, above, in_a_list = 0, "", False
    for number, line in enumerate(lines, start=1):
        if fence is not None:
            if line.strip() == "```":
                text = textwrap.dedent("\n".join(lines[begun : number - 1])) + "\n"
                marker = MARKER.match(above)
                said = (marker["what"], marker["name"]) if marker else ("", "")
                yield Block(page, begun, fence["language"], text, *said)
                fence, above = None, ""
        elif fence := FENCE.match(line):
            begun = number
        elif line.strip():
            in_a_list = bool(BEGINS_A_LIST.match(line)) or (in_a_list and line.startswith(" "))
            if line.startswith("    ") and not in_a_list and not above:
                yield Block(page, number, "indented", line + "\n")
            above = line
        elif not MARKER.match(above):
            above = ""
