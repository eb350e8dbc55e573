"""Printable page with pictures of all screens of a study, for an ethics board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.presentation.study.study_screens import StudyScreen
from negoplatform.study.local_text import text_in
from negoplatform.study.study_file import cell_name

STYLE = """
body { font: 11pt/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #1c2024; }
h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 1.6em; break-after: avoid; }
table { border-collapse: collapse; } th, td { padding: .2em .7em; border-bottom: 1px solid #c8ccd0; }
th { text-align: left; } tr { break-inside: avoid; } .fault { color: #a00000; font-weight: bold; }
@media print { body { margin: 0; max-width: none; } }
figure { margin: .6em 0 1.2em; break-inside: avoid; } figcaption { margin-bottom: .3em; }
img { max-width: 100%; max-height: 24cm; border: 1px solid #c8ccd0; }
"""

MOST_OF_NAME = 60
"""Greatest number of characters of each part of a file's name."""


@dataclass(slots=True)
class ShownScreen:
    """Screen that looks equal in some cells, in one language.

    Args:
        number: Its number in the order of the steps; the same in all languages.
        screen: The screen.
        language: Its language.
        cells: Names of the cells in which it is seen.
        name: Name of its pictures, without the ending.
        files: Names of its pictures: several if it has to be scrolled.
        faults: What does not fit on it, in sentences.
    """

    number: int
    screen: StudyScreen
    language: str
    cells: list[str]
    name: str = ""
    files: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def group_screens(screens: Iterable[tuple[str, str, StudyScreen]]) -> list[ShownScreen]:
    """Return each screen once, in the order of the steps, with the cells in which it is seen.

    Args:
        screens: The names of the cell and the language of each screen, and the screen.
    """
    slots: dict[tuple[str, str], int] = {}
    found: dict[tuple[str, str, str, str], ShownScreen] = {}
    for cell, language, screen in screens:
        slot = screen.step, screen.part
        slots.setdefault(slot, screen.place)
        key = (*slot, language, screen.key)
        if key in found:
            found[key].cells.append(cell)
        else:
            found[key] = ShownScreen(0, screen, language, [cell])
    numbers = {
        slot: number for number, slot in enumerate(sorted(slots, key=lambda slot: slots[slot]), start=1)
    }
    shown = list(found.values())
    for one in shown:
        one.number = numbers[one.screen.step, one.screen.part]
    for one in shown:
        same = [other for other in shown if (other.number, other.language) == (one.number, one.language)]
        parts = [one.screen.step, one.screen.part, one.cells[0] if len(same) > 1 else ""]
        words = [re.sub(r"[^\w.-]", "_", part)[:MOST_OF_NAME] for part in parts if part]
        one.name = "-".join([f"{one.number:02}", *words, one.language])
    return sorted(shown, key=lambda one: one.number)


def screens_page(folder: StudyFolder, shown: Sequence[ShownScreen]) -> str:
    """Return the page as HTML, without scripts; the pictures are files in the same folder."""
    model = folder.study.model
    language = model.languages[0]
    title = f"All screens of {folder.study.label}"
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:"
    cells = [cell_name(cell) for cell in model.cells()]
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(text_in(model.title, language))}. Study sha256 {escape(folder.study.sha256)}.</p>",
        f"<p>Cells: {escape(', '.join(cells))}. Languages: {escape(', '.join(model.languages))}.</p>",
        "<p>A simulated participant went through all steps. Points and payments are "
        "examples: each game ended with a deal worth half of the best one. A screen that looks equal in "
        "several cells is shown once. Steps that some participants do not see are shown too.</p>",
        *_overview(shown, cells),
    ]
    for (number, step), group in groupby(shown, key=lambda one: (one.number, one.screen.step)):
        of_step = list(group)
        about = f", {of_step[0].screen.about}" if of_step[0].screen.about else ""
        parts.append(f"<h2>{number}. {escape(step)}: {escape(of_step[0].screen.kind)}{escape(about)}</h2>")
        for one in of_step:
            parts += _figure(one, cells)
    return "\n".join([*parts, "</body></html>"]) + "\n"


def cells_text(shown: ShownScreen, cells: Sequence[str]) -> str:
    """Return the cells in which a screen is seen."""
    return "all cells" if len(shown.cells) == len(cells) else ", ".join(shown.cells)


def _overview(shown: Sequence[ShownScreen], cells: Sequence[str]) -> Iterator[str]:
    yield "<table><thead><tr>"
    yield "".join(f"<th>{name}</th>" for name in ("Screen", "Step", "Kind", "Cells", "Language", "Picture"))
    yield "</tr></thead><tbody>"
    for one in shown:
        links = ", ".join(f'<a href="#{escape(file)}">{escape(file)}</a>' for file in one.files)
        kind = ", ".join(part for part in (one.screen.kind, one.screen.about) if part)
        texts = [str(one.number), one.screen.step, kind, cells_text(one, cells), one.language]
        yield f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in texts)}<td>{links}</td></tr>"
    yield "</tbody></table>"


def _figure(shown: ShownScreen, cells: Sequence[str]) -> Iterator[str]:
    for n, file in enumerate(shown.files, start=1):
        caption = f"{shown.language}; {cells_text(shown, cells)}"
        if len(shown.files) > 1:
            caption += f"; part {n} of {len(shown.files)}, scrolled"
        yield f'<figure id="{escape(file)}"><figcaption>{escape(caption)}</figcaption>'
        yield f'<img src="{escape(file)}" alt="{escape(shown.screen.step)}, {escape(caption)}"></figure>'
    for fault in shown.faults:
        yield f'<p class="fault">{escape(fault)}</p>'


def require_free_names(shown: Iterable[ShownScreen]) -> None:
    """Raise a NegoError if two screens would have one picture."""
    names = [one.name.casefold() for one in shown]
    if twice := [name for name in names if names.count(name) > 1]:
        raise NegoError(f"Two screens would have the picture {twice[0]}; give the steps other ids.")
