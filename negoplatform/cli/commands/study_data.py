"""Commands for the data of studies: study collect, export and forget."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.analysis.export_tables.export import Export, ensure_absent, write_tables
from negoplatform.analysis.export_tables.study_tables import StudyTables
from negoplatform.analysis.import_scripts.script_files import SCRIPT_FILES, write_scripts
from negoplatform.app.study.collect import collect
from negoplatform.app.study.collection_check import check_sessions
from negoplatform.app.study.forget import prepare_forgetting
from negoplatform.app.study.receipts import (
    RECEIPTS,
    SIGNATURES_FILE,
    ListedPayment,
    paid_or_due,
    signature_page,
    write_receipt,
)
from negoplatform.app.study.study_data import PAYMENTS, study_data
from negoplatform.app.study.study_folder import load_study
from negoplatform.cli.options import DATA_DIR, EXCEL, REPLACE_TABLES, STUDY, TABLES_FOLDER
from negoplatform.cli.terminal_output import counted, echo_line
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.presentation.receipt_words import receipt_words
from negoplatform.study.local_text import text_in


def add_data_commands(group: click.Group) -> None:
    """Add the commands for the data of studies to a group."""
    group.add_command(collect_command)
    group.add_command(export_command)
    group.add_command(forget_command)


@click.command(name="collect")
@click.argument(
    "sources", metavar="SOURCE…", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "--into",
    required=True,
    metavar="DATA",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the collection; created if it does not exist.",
)
@click.option("--study", type=click.Path(path_type=Path), help="The study, to compare its codes and rules.")
@DATA_DIR
def collect_command(sources: tuple[Path, ...], into: Path, study: Path | None, data_dir: Path) -> None:
    """Collect the data of a study from several computers.

    A SOURCE is a copy of a computer's data folder, the folder of a study in it, or a folder of such folders.
    It is only read. Visits, sessions and the counts of people who declined are copied into DATA. Duplicate,
    missing, mixed and damaged data is reported; if a finding needs a decision, the exit code is 1. The
    command can be run again at any time.

    Example: negoplatform study collect stick/pc01 stick/pc02 --into collected
    """
    loaded = None if study is None else load_study(study, data_dir)
    needs_decision = False
    for one in collect(sources, into, loaded):
        for finding in one.findings:
            echo_line(f"  {finding.kind.value:<8} {finding.text}")
        there = len(one.content.visits)
        new = f"{counted(one.visits, 'visit')} and {counted(one.sessions, 'session')} are new"
        echo_line(f"{one.content.study}: {counted(there, 'visit')} in {one.root}; {new}.")
        needs_decision = needs_decision or one.needs_decision
    if needs_decision:
        raise SystemExit(1)


@click.command(name="export")
@STUDY
@TABLES_FOLDER
@click.option("--test", "is_test", is_flag=True, help="Export the test data of the last rehearsal.")
@EXCEL
@REPLACE_TABLES
@click.option(
    "--from",
    "collected",
    metavar="DATA",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of a collection. Default: the data of this computer.",
)
@DATA_DIR
def export_command(
    study: Path,
    folder: Path,
    is_test: bool,
    excel: bool,
    force: bool,
    collected: Path | None,
    data_dir: Path,
) -> int:
    """Export a study's data as CSV tables with a codebook.

    There is a row for each participant, answer and step; the rest is as in 'negoplatform export'. Payments
    are in the folder payments, apart from the data. If a log cannot be read, or is not the
    one with which its visit ended, it is reported, and the exit code is 1.

    Example: negoplatform study export anger_2x2 --out tables
    """
    loaded = load_study(study, data_dir)
    data = study_data(loaded, collected or data_dir, is_test=is_test)
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
    for sentence in check_sessions((record for record, _ in visits.visits), data.sessions):
        faults += 1
        echo_line(f"negoplatform: {sentence}", err=True)
    if not len(visits):
        raise NegoError(f"There are no visits of {loaded.study.label} in {data.root}.")
    tables = visits.tables(export)
    ensure_absent([folder / name for name in SCRIPT_FILES], replace=force)
    written = write_tables(tables, folder, excel=excel, replace=force)
    model = loaded.study.model
    write_scripts(
        tables[:-1],
        folder,
        name=model.name,
        version=model.version,
        about=f"Data of the study “{text_in(model.title, model.languages[0])}”.",
        replace=force,
    )
    _write_payments(visits, folder / PAYMENTS, excel=excel, replace=force)
    what = f"{counted(len(visits), 'visit')} and {counted(len(export), 'session')}"
    echo_line(f"{what} in {len(written)} tables: {folder}.")
    return 1 if faults else 0


@click.command(name="forget")
@click.argument("who", metavar="CODE")
@click.option(
    "--in",
    "folders",
    metavar="DATA",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder to search: a data folder, a collection, or exported tables. Repeatable. "
    "Default: the data folder of this computer.",
)
@click.option("--study", metavar="NAME", help="Name of the study, if several studies have this code.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@DATA_DIR
def forget_command(who: str, folders: tuple[Path, ...], study: str | None, yes: bool, data_dir: Path) -> None:
    """Delete everything about one person.

    CODE is the participant's code or the withdrawal code. What would be deleted is shown first. A line with
    the date and the cell stays in forgotten.csv. The study's own list of codes is not changed. If something
    is left over, the exit code is 1.

    Example: negoplatform study forget P-017 --in collected
    """
    prepared = prepare_forgetting(list(folders) or [data_dir], who, study)
    for line in prepared.lines():
        echo_line(f"  {line}")
    if not yes:
        click.confirm("Delete this permanently?", abort=True)
    prepared.carry_out()
    echo_line("Deleted.")
    for path in prepared.copies:
        echo_line(f"There is a copy in {path}; run the command there too.")
    for file in prepared.left_over:
        echo_line(f"{file} names the person, and was not changed.")
    if prepared.left_over:
        raise SystemExit(1)


def _write_payments(visits: StudyTables, folder: Path, *, excel: bool, replace: bool) -> None:
    """Write the table of payments, the list to sign and the receipts."""
    table = visits.payments()
    signatures = folder / SIGNATURES_FILE
    ensure_absent([signatures], replace=replace)
    write_tables([table], folder, excel=excel, replace=replace)
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    listed = [ListedPayment(str(row["code"]), str(row["amount"]), str(row["currency"])) for row in rows]
    study = visits.study
    language = study.model.languages[0]
    page = signature_page(
        f"{text_in(study.model.title, language)} ({study.label})", listed, receipt_words(language)
    )
    atomic_write(signatures, page.encode("utf-8", "replace"), private=True, replace=replace)
    for record, state in visits.visits:
        if paid_or_due(state) is not None:
            write_receipt(folder / RECEIPTS, state, receipt_words(record.header.language))
