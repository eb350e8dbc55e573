"""Commands for the data of studies: study export."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.analysis.codebook import codebook
from negoplatform.analysis.export import Export, ensure_absent, write_tables
from negoplatform.analysis.iago_rows import iago_table
from negoplatform.analysis.script_files import SCRIPT_FILES, write_scripts
from negoplatform.analysis.study_tables import StudyTables
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import load_study
from negoplatform.cli.options import DATA_DIR, EXCEL, REPLACE_TABLES, STUDY, TABLES_FOLDER
from negoplatform.cli.terminal_output import counted, echo_line
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.study.local_text import text_in


def add_data_commands(group: click.Group) -> None:
    """Add the commands for the data of studies to a group."""
    group.add_command(export_command)


@click.command(name="export")
@STUDY
@TABLES_FOLDER
@click.option("--test", "is_test", is_flag=True, help="Export the test data of the last rehearsal.")
@EXCEL
@REPLACE_TABLES
@DATA_DIR
def export_command(study: Path, folder: Path, is_test: bool, excel: bool, force: bool, data_dir: Path) -> int:
    """Export a study's data as CSV tables with a codebook.

    There is a row for each participant, answer and step; the rest is as in 'negoplatform export'. Payments
    are in the folder payments, apart from the data. If a log cannot be read, it is reported, the
    others are exported, and the exit code is 1.

    Example: negoplatform study export anger_2x2 --out tables
    """
    loaded = load_study(study, data_dir)
    data = study_data(loaded, data_dir, is_test=is_test)
    export, visits, faults = Export(), StudyTables(loaded.study), 0
    for record in data.records():
        try:
            if isinstance(record, InputFileError):
                raise record
            visits.add(record)
        except InputFileError as problem:
            faults += 1
            echo_line(f"negoplatform: {problem}", err=True)
    for path in sorted(data.sessions.glob("*/events.jsonl")):
        try:
            export.add(path)
        except InputFileError as problem:
            faults += 1
            echo_line(f"negoplatform: {problem}", err=True)
    if not len(visits):
        raise NegoError(f"There are no visits of {loaded.study.label} in {data.root}.")
    sessions = export.tables()[:-1]
    tables = [*visits.tables(sessions[0], export.sessions), *sessions]
    tables.append(iago_table(export.sessions))
    ensure_absent([folder / name for name in SCRIPT_FILES], replace=force)
    written = write_tables([*tables, codebook(tables)], folder, excel=excel, replace=force)
    model = loaded.study.model
    write_scripts(
        tables,
        folder,
        name=model.name,
        version=model.version,
        about=f"Data of the study “{text_in(model.title, model.languages[0])}”.",
        replace=force,
    )
    write_tables([visits.payments()], folder / "payments", excel=excel, replace=force)
    what = f"{counted(len(visits), 'visit')} and {counted(len(export), 'session')}"
    echo_line(f"{what} in {len(written)} tables: {folder}.")
    return 1 if faults else 0
