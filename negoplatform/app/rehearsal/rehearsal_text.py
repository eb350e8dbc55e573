"""Report of a rehearsal as lines for a terminal, and as a page that can be printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from statistics import fmean

from negoplatform.app.rehearsal.rehearsal_effects import EffectReport
from negoplatform.app.rehearsal.rehearsal_report import CellReport, GameReport, RehearsalReport, Spread


def report_lines(report: RehearsalReport) -> Iterator[str]:
    """Yield a report as lines for a terminal."""
    yield f"{report.people} simulated people: {_counts(report.ends)}."
    yield f"Kinds: {_counts(report.kinds)}. Languages: {_counts(report.languages)}."
    for cell in report.cells:
        yield (
            f"Cell {cell.cell}: {cell.assigned} assigned, {cell.finished} finished, "
            f"{_ends_text(cell)} in {cell.games} games that count, points {spread_text(cell.points)}, "
            f"minutes {spread_text(cell.minutes)}."
        )
    for game in report.games:
        yield (
            f"Game {game.step}{'' if game.counts else ' (practice)'}: {_ends_text(game)} in "
            f"{game.games} games, points {spread_text(game.points)}, minutes {spread_text(game.minutes)}."
        )
    if report.longest is not None:
        longest = report.longest
        steps = sorted(longest.steps, key=lambda step: -step[1])[:5]
        yield (
            f"Longest visit: {longest.minutes:.1f} minutes ({longest.code}, {longest.cell or 'no cell'}); "
            f"most of them in {', '.join(f'{step} {time:.1f}' for step, time in steps)}."
        )
    for quiz in report.quizzes:
        yield (
            f"Quiz {quiz.step}: {quiz.first_try} of {quiz.people} right at the first try, "
            f"{quiz.mean_tries:.1f} tries on average, {quiz.most_tries} at most."
        )
    if report.amounts:
        yield f"Payments: {payments_text(report)}."
    if report.flags:
        flags = (f"{count} {text}" for text, count in report.flags.items())
        yield f"Flags, number of people: {', '.join(flags)}."
        if any("answers" in text for text in report.flags):
            yield "Simulated people answer choices at random, so some of their answers are flagged."
    for effect in report.effects:
        yield f"Effect: {effect_text(effect)}."
    if report.unreached:
        yield f"Reachable, but not reached: {', '.join(report.unreached)}."
    if report.unreachable:
        yield f"Unreachable: {', '.join(report.unreachable)}."
    read = sum(not table.fault for table in report.tables)
    rows = sum(table.rows for table in report.tables)
    yield f"{read} of {len(report.tables)} tables written and read back, {rows:,} rows."
    yield f"{report.verified} of {report.sessions} sessions verified: hashes, rules, end."
    yield from (f"Fault: {fault}" for fault in report.faults)


def _ends_text(games: CellReport | GameReport) -> str:
    """Return how many games ended with a deal, and how many without deals were played to their end."""
    deals = [f"{games.deals} deals"] if games.deals or not games.complete else []
    return " and ".join([*deals, *([f"{games.complete} played to the end"] if games.complete else [])])


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items()) or "none"


def spread_text(spread: Spread) -> str:
    """Return a mean and its standard deviation as text."""
    if spread.mean is None:
        return "none"
    deviation = "" if spread.deviation is None else f" (SD {spread.deviation:.2f})"
    return f"{spread.mean:.2f}{deviation}"


def payments_text(report: RehearsalReport) -> str:
    """Return the least, mean and highest payment as text."""
    low, mean, high = min(report.amounts), fmean(report.amounts), max(report.amounts)
    return f"{low:.2f} to {high:.2f} {report.currency}, on average {mean:.2f} {report.currency}"


def effect_text(effect: EffectReport) -> str:
    """Return a planted effect and the effect that was found as text."""
    low, high = effect.levels
    about = f"{effect.answers} {effect.factor} {high} − {low}: {effect.planted:+.2f} planted"
    if effect.found is None or effect.interval is None:
        return f"{about}, too few answers"
    verdict = "" if effect.is_found else ", NOT found again"
    least, most = effect.interval
    return f"{about}, {effect.found:+.2f} found (95 % interval {least:+.2f} to {most:+.2f}){verdict}"


STYLE = """
body { font: 11pt/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #1c2024; }
h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 1.6em; break-after: avoid; }
table { border-collapse: collapse; } th, td { padding: .2em .7em; border-bottom: 1px solid #c8ccd0; }
th { text-align: left; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; } .fault { color: #a00000; font-weight: bold; } .small { color: #5a6168; }
@media print { body { margin: 0; max-width: none; } }
"""


def report_page(report: RehearsalReport) -> str:
    """Return a report as a page of HTML without scripts and external resources."""
    title = f"Rehearsal of {report.study}"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="small">Test data of simulated people. Seed {report.seed}, study sha256 '
        f"{escape(report.sha256)}.</p>",
        *_people_part(report),
        *_cells_part(report),
        *_games_part(report),
        *_steps_part(report),
        *_quiz_part(report),
        *_effects_part(report),
        *_proofs_part(report),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _people_part(report: RehearsalReport) -> Iterator[str]:
    yield f"<h2>{report.people} simulated people</h2>"
    yield _table(
        ("", "Visits"),
        [
            *((f"end: {name}", str(count)) for name, count in report.ends.items()),
            *((f"kind: {name}", str(count)) for name, count in report.kinds.items()),
            *((f"language: {name}", str(count)) for name, count in report.languages.items()),
            *((f"flag: {name}", str(count)) for name, count in report.flags.items()),
        ],
    )
    if report.amounts:
        yield f"<p>Payments: {escape(payments_text(report))}.</p>"


def _cells_part(report: RehearsalReport) -> Iterator[str]:
    yield "<h2>Cells</h2>"
    yield _table(
        (
            "Cell",
            "Assigned",
            "Finished",
            "Games that count",
            "Deals",
            "Played to the end",
            "Points",
            "Minutes of a game",
        ),
        [
            (
                cell.cell,
                str(cell.assigned),
                str(cell.finished),
                str(cell.games),
                str(cell.deals),
                str(cell.complete),
                spread_text(cell.points),
                spread_text(cell.minutes),
            )
            for cell in report.cells
        ],
    )


def _games_part(report: RehearsalReport) -> Iterator[str]:
    if report.games:
        yield "<h2>Games</h2>"
        yield _table(
            ("Step", "Remark", "Games", "Deals", "Played to the end", "Points", "Minutes of a game"),
            [
                (
                    game.step,
                    "" if game.counts else "practice",
                    str(game.games),
                    str(game.deals),
                    str(game.complete),
                    spread_text(game.points),
                    spread_text(game.minutes),
                )
                for game in report.games
            ],
        )


def _steps_part(report: RehearsalReport) -> Iterator[str]:
    yield "<h2>Steps</h2>"
    rows = []
    for step in report.steps:
        remark = "unreachable" if step.is_unreachable else "" if step.visits else "not reached"
        minutes = ["" if time is None else f"{time:.2f}" for time in (step.median_minutes, step.most_minutes)]
        rows.append((step.step, step.kind, str(step.visits), *minutes, remark))
    yield _table(("Step", "Kind", "Visits", "Median minutes", "Longest", "Remark"), rows)
    if report.longest is not None:
        longest = report.longest
        about = f"{longest.code}, {longest.kind or 'unknown'}, {longest.cell or 'not assigned'}"
        yield f"<h2>Longest visit: {longest.minutes:.1f} minutes</h2><p>{escape(about)}</p>"
        yield _table(("Step", "Minutes"), [(step, f"{time:.2f}") for step, time in longest.steps])


def _quiz_part(report: RehearsalReport) -> Iterator[str]:
    if report.quizzes:
        yield "<h2>Quizzes</h2>"
        yield _table(
            ("Quiz", "People", "Right at the first try", "Tries on average", "Most tries"),
            [
                (
                    quiz.step,
                    str(quiz.people),
                    str(quiz.first_try),
                    f"{quiz.mean_tries:.2f}",
                    str(quiz.most_tries),
                )
                for quiz in report.quizzes
            ],
        )


def _effects_part(report: RehearsalReport) -> Iterator[str]:
    if report.effects:
        yield "<h2>Planted effects</h2>"
        yield "<p>Mean of each person's answers, with reversed items recoded; Welch's interval.</p>"
        yield _list([(effect_text(effect), not effect.is_found) for effect in report.effects])


def _proofs_part(report: RehearsalReport) -> Iterator[str]:
    yield "<h2>Data</h2>"
    yield (
        f"<p>{report.verified} of {report.sessions} sessions verified: chain of hashes, rules, and the end "
        "that the visit records.</p>"
    )
    yield _table(
        ("Table", "Columns", "Rows", "Read back"),
        [
            (table.name, str(table.columns), str(table.rows), table.fault or "equal")
            for table in report.tables
        ],
    )
    if report.faults:
        yield "<h2>Faults</h2>"
        yield _list([(fault, True) for fault in report.faults])


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    lines = "".join(f"<tr>{''.join(_cell(text) for text in row)}</tr>\n" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>"


def _cell(text: str) -> str:
    is_number = text.replace(".", "", 1).isdecimal()
    return f'<td class="number">{text}</td>' if is_number else f"<td>{escape(text)}</td>"


def _list(texts: Iterable[tuple[str, bool]]) -> str:
    lines = [
        f'<li class="fault">{escape(text)}</li>' if is_fault else f"<li>{escape(text)}</li>"
        for text, is_fault in texts
    ]
    return f"<ul>{''.join(lines)}</ul>"
