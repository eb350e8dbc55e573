"""HTML of a page without scripts and links: texts, tables, and colours for light, dark and paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from html import escape

from negoplatform.presentation.color_palette import DARK, LIGHT, Palette, contrast_ratio, mix_colours
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.plots.svg import to_svg

HEAT_LEVELS = 9
"""Number of colours of a heat map."""

_NAMES = tuple(field.name for field in fields(Palette) if field.name != "dark")

PAGE_COLOURS = Palette(dark=False, **{name: f"var(--{name.replace('_', '-')})" for name in _NAMES})
"""Colours of drawings in the page: names of variables, so that a drawing follows light and dark mode."""

INVALID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that HTML does not allow."""

STYLE = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
body { font: 16px/1.5 Inter, 'DejaVu Sans', Arial, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
section { padding: 1rem 1.25rem; margin: 1rem 0; }
p, li, dd { max-width: 46rem; }
p { margin: .4rem 0; }
.lead { font-size: 1.1rem; }
.muted, figcaption { color: var(--muted); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .6rem 0; }
caption { text-align: start; color: var(--muted); padding: 0 0 .3rem; }
th, td { padding: .3rem .45rem; border-bottom: 1px solid var(--line); text-align: end; }
th, td { vertical-align: top; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--edge); }
th.text, td.text { text-align: start; white-space: normal; overflow-wrap: break-word; max-width: 24rem; }
td { font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; font-size: .9rem; }
dt { font-weight: bold; }
dd { margin: 0; }
figure { margin: .6rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .2rem 0; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; }
svg { max-width: 100%; height: auto; display: block; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print {
  main { max-width: none; padding: 0; }
  section { border: 0; padding: 0; border-radius: 0; }
  .scroll { overflow: visible; }
  figure, tr, dl { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
"""


def text(words: object) -> str:
    """Return a text escaped for HTML, whatever an author has written; invalid characters become spaces."""
    return escape(INVALID.sub(" ", str(words)), quote=True)


def decimal_number(value: float | None) -> str:
    """Return a number with three decimal places; a dash for None."""
    return "–" if value is None else f"{value:.3f}"


def page(title: str, sections: Iterable[str]) -> str:
    """Return the text of an HTML file.

    Args:
        title: The heading.
        sections: The HTML of its parts.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>{_colours()}{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{text(title)}</h1>\n" + "\n".join(sections) + "\n</main>\n</body>\n</html>\n"
    )


def section(heading: str, *parts: str) -> str:
    """Return a part of the page with a heading; the parts are HTML."""
    return f"<section>\n<h2>{text(heading)}</h2>\n" + "\n".join(parts) + "\n</section>"


def paragraph(words: str, kind: str = "") -> str:
    """Return a paragraph with a text."""
    return f'<p class="{kind}">{text(words)}</p>' if kind else f"<p>{text(words)}</p>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1, caption: str = "") -> str:
    """Return a table of texts.

    Args:
        head: The headings of the columns.
        rows: The rows.
        texts: The number of columns, from the first, that hold texts; the others hold numbers.
        caption: A sentence above it.
    """
    kinds = [' class="text"' if i < texts else "" for i in range(len(head))]
    heads = "".join(
        f'<th scope="col"{kind}>{text(words)}</th>' for kind, words in zip(kinds, head, strict=True)
    )
    lines = [
        "".join(f"<td{kind}>{text(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in rows
    ]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    above = f"<caption>{text(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll"><table>{above}<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n'
        "</tbody></table></div>"
    )


def meanings(terms: Iterable[tuple[str, str]]) -> str:
    """Return a list of terms with a sentence for each."""
    return "<dl>" + "\n".join(f"<dt>{text(a)}</dt><dd>{text(b)}</dd>" for a, b in terms) + "</dl>"


def figure(drawing: Drawing, caption: str = "") -> str:
    """Return a drawing with a sentence below it."""
    svg = to_svg(drawing).partition("?>")[2].strip()
    below = f"<figcaption>{text(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{below}</figure>"


def figures(parts: Iterable[str]) -> str:
    """Return several figures, as many in a row as there is room for."""
    return f'<div class="figures">{"".join(parts)}</div>'


def folded(summary: str, part: str) -> str:
    """Return a part of the page that opens with a click on its summary."""
    return f"<details><summary>{text(summary)}</summary>\n{part}</details>"


def heat_colours(level: int) -> tuple[str, str]:
    """Return the colours of a field of a heat map and of the text on it, level 0 (lowest) to 8."""
    return f"var(--heat-{level})", f"var(--on-heat-{level})"


def _colours() -> str:
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        "@media print { :root { color-scheme: light; } }\n"
    )


def _variables(palette: Palette) -> str:
    found = [f"--{name.replace('_', '-')}: {getattr(palette, name)};" for name in _NAMES]
    for level in range(HEAT_LEVELS):
        colour = mix_colours(palette.soft, palette.primary, level / (HEAT_LEVELS - 1))
        ink = max(("#000000", "#ffffff"), key=lambda one: contrast_ratio(one, colour))
        found += [f"--heat-{level}: {colour};", f"--on-heat-{level}: {ink};"]
    return " ".join(found)
