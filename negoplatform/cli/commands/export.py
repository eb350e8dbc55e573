"""Command that turns logs into tables: export."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.analysis.export_tables.codebook import TABLE_DESCRIPTIONS, codebook
from negoplatform.analysis.export_tables.export import Export, ensure_absent, log_files, write_tables
from negoplatform.analysis.export_tables.iago_rows import iago_table
from negoplatform.analysis.import_scripts.script_files import SCRIPT_FILES, write_scripts
from negoplatform.cli.options import EXCEL, REPLACE_TABLES, TABLES_FOLDER
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.domain.errors import InputFileError, NegoError


@click.command(name="export")
@click.argument("logs", metavar="LOG…", nargs=-1, required=True, type=click.Path(path_type=Path))
@TABLES_FOLDER
@EXCEL
@click.option("--strict", is_flag=True, help="Stop at the first log that cannot be read, and write nothing.")
@click.option(
    "--transitions",
    is_flag=True,
    help="Also write transitions.csv: what each seat could see before each of its acts, and its reward.",
)
@REPLACE_TABLES
def export_command(
    logs: tuple[Path, ...], folder: Path, excel: bool, strict: bool, transitions: bool, force: bool
) -> int:
    """Export logs as CSV tables with a codebook.

    The tables hold sessions, seats, offers, messages, events and tasks, and of trading and markets orders,
    trades, proposals and accounts. A LOG is a log file or a folder; in a folder, every events.jsonl at any
    depth is exported. If a log cannot be read, it is reported, the others are exported, and the exit code is
    1.

    Example: negoplatform export sessions --out tables
    """
    # Checked before the logs are read, which may take minutes.
    names = [*(f"{name}.csv" for name in TABLE_DESCRIPTIONS), *SCRIPT_FILES]
    ensure_absent([folder / name for name in names], replace=force)
    export, failed = Export(), 0
    for path in log_files(logs):
        try:
            export.add(path)
        except InputFileError as problem:
            if strict:
                raise
            failed += 1
            echo_line(f"negoplatform: {problem}", err=True)
    if not len(export):
        raise NegoError("None of these logs can be read, so nothing was written.")
    tables = [*export.tables()[:-1], iago_table(export.sessions)]
    if transitions:
        from negoplatform.training.transitions import transitions_table

        tables.append(transitions_table(facts.log for facts in export.sessions))
    written = write_tables([*tables, codebook(tables)], folder, excel=excel, replace=force)
    about = "Sessions of NegoPlatform."
    write_scripts(tables, folder, name="sessions", version="1", about=about, replace=force)
    left_out = f"; {failed} left out" if failed else ""
    echo_text(
        f"{len(export)} session{'s' * (len(export) != 1)} in {len(written)} tables{left_out}: {folder}."
    )
    return 1 if failed else 0
