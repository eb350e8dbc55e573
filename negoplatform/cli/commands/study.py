"""Commands for studies: study check, freeze, install, plan and rehearse; others are in study_*.py."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.joining.join_link import parse_address
from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.rehearsal.rehearsal_people import load_people
from negoplatform.app.rehearsal.rehearsal_report import build_report
from negoplatform.app.rehearsal.rehearsal_text import report_lines, report_page
from negoplatform.app.study.study_archive import STUDIES, freeze_study, install_study, write_plan
from negoplatform.app.study.study_check import StudyFindingKind, check_study, require_sound
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import STUDY_FILE, StudyFolder, load_study
from negoplatform.app.study.study_template import shipped_studies
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.commands.study_authoring import list_command, new_command
from negoplatform.cli.commands.study_data import add_data_commands
from negoplatform.cli.options import DATA_DIR, STUDY
from negoplatform.cli.require_tk import require_tk
from negoplatform.cli.terminal_output import counted, echo_line
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import LOOPBACK
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.study_file import cell_name


@click.group(name="study")
def study_command() -> None:
    """Write, check, rehearse, freeze and install studies.

    STUDY is a folder with a study.json.
    """


add_data_commands(study_command)
study_command.add_command(new_command)
study_command.add_command(list_command)


@study_command.command(name="check")
@STUDY
@DATA_DIR
def check_command(study: Path, data_dir: Path) -> None:
    """Check a study for mistakes.

    A study with an error cannot run, and the exit code is 1. Warnings point out what is probably unintended.

    Example: negoplatform study check anger_2x2
    """
    folder = load_study(study, data_dir)
    findings = check_study(folder)
    model = folder.study.model
    errors = sum(finding.kind is StudyFindingKind.ERROR for finding in findings)
    warnings = len(findings) - errors
    echo_line(f"{folder.study.label}: {counted(errors, 'error')}, {counted(warnings, 'warning')}.")
    echo_line(f"{len(model.cells())} cells: {', '.join(cell_name(cell) for cell in model.cells())}.")
    echo_line(f"sha256 {folder.study.sha256}{', frozen' if folder.is_frozen else ', not frozen'}.")
    for finding in findings:
        echo_line(f"  {finding.kind.value:<8} {finding.text}")
    if errors:
        raise SystemExit(1)


@study_command.command(name="freeze")
@STUDY
@DATA_DIR
def freeze_command(study: Path, data_dir: Path) -> None:
    """Freeze a study: write its manifest, and one archive with all of its files.

    Example: negoplatform study freeze anger_2x2
    """
    folder, archive = freeze_study(load_study(study, data_dir))
    echo_line(f"{folder.study.label} is frozen ({folder.study.sha256[:8]}). Archive: {archive}")


@study_command.command(name="install")
@click.argument("source", type=click.Path(path_type=Path))
@DATA_DIR
def install_command(source: Path, data_dir: Path) -> None:
    """Install a frozen study on this computer.

    SOURCE is an archive, a frozen study's folder, or the name of a study that comes with the program. Its
    agents are programs that run here; install only studies of people whom you trust.

    Example: negoplatform study install anger_2x2-1.0.0.nstudy
    """
    if not source.exists():
        if str(source) not in shipped_studies():
            there = ", ".join(shipped_studies())
            raise NegoError(f"There is no file, folder or study {source}; the shipped studies are {there}.")
        source = bundled(STUDIES) / source
    folder = install_study(source, data_dir)
    echo_line(f"{folder.study.label} ({folder.study.sha256[:8]}) is installed in {folder.root}.")


@study_command.command(name="plan")
@STUDY
@click.option(
    "--spare", type=click.IntRange(0, 1000), default=2, show_default=True, help="Spare codes per cell."
)
@DATA_DIR
def plan_command(study: Path, spare: int, data_dir: Path) -> None:
    """Write plan.csv: a cell and the orders for each code.

    The codes are those of the study's file of codes, or P-001, P-002 … for its number of participants. Spare
    codes (S-001 …) replace people who dropped out. The plan is part of the study: write it before you freeze
    the study.

    Example: negoplatform study plan anger_2x2
    """
    folder = load_study(study, data_dir)
    model, listed = folder.study.model, folder.codes
    if listed is None and model.design.participants is None:
        raise NegoError(f"{study / STUDY_FILE} names neither a file of codes nor a number of participants.")
    width = max(3, len(str(model.design.participants or 0)))
    codes = (
        list(listed.rows)
        if listed is not None
        else [f"P-{n:0{width}}" for n in range(1, (model.design.participants or 0) + 1)]
    )
    names = [f"S-{n:03}" for n in range(1, spare * len(model.cells()) + 1)]
    path = write_plan(folder, codes, names)
    echo_line(f"{path} has {len(codes)} codes and {len(names)} spare codes.")


@study_command.command(name="run")
@STUDY
@click.option(
    "--code",
    default="",
    metavar="CODE",
    help="Code of the first participant. Default: the window asks for it.",
)
@click.option(
    "--station",
    default="",
    metavar="NAME",
    help="Name of this computer, such as pc03. Default: the last one.",
)
@click.option(
    "--language",
    default="",
    metavar="CODE",
    help="Language in which visits begin, such as de. Default: the window's if the study has it.",
)
@click.option(
    "--listen",
    is_flag=False,
    flag_value=LOOPBACK,
    default="",
    metavar="[ADDRESS[:PORT]]",
    help="Address at which a wizard, a second person and the experimenter's console join; 0.0.0.0: all "
    "networks. Without an address, and by default in studies with a wizard or a second person: this "
    "computer alone.",
)
@click.option("--test", "is_test", is_flag=True, help="Try the study out: all data is test data.")
@click.option("--full-screen", is_flag=True, help="Keep the participants in full screen.")
@click.option(
    "--announce", is_flag=True, hidden=True, help="Print what the window shows as lines of JSON, for tests."
)
@DATA_DIR
def run_command(
    study: Path,
    code: str,
    station: str,
    language: str,
    listen: str,
    is_test: bool,
    full_screen: bool,
    announce: bool,
    data_dir: Path,
) -> None:
    """Open the window with a study, for one participant after another.

    STUDY is a folder, or the name of a study that is installed, such as anger_2x2-1.0.0. It has to be frozen,
    except with --test.

    If others take part in the study, the address and a code for each of them are printed.

    Example: negoplatform study run anger_2x2-1.0.0 --station pc03 --full-screen
    """
    if listen:
        parse_address(listen)
    with require_tk():
        from negoplatform.gui.shell.window_startup import open_window
        from negoplatform.presentation.start.launch_options import StudyLaunch
    open_window(
        data_dir,
        announce=announce,
        appearance_overrides={"full_screen": True} if full_screen else {},
        study=StudyLaunch(study, code, station, is_test, language, listen),
    )


@study_command.command(name="rehearse")
@STUDY
@click.option("--participants", type=click.IntRange(1, 10_000), default=8, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of what people do.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--people",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with the kinds of simulated people and planted effects; 'schema people' describes it.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for pictures of all screens, with a page that shows them; nobody is simulated then.",
)
@click.option("--on-screen", is_flag=True, help="Show the visits in the window, one after another.")
@click.option(
    "--speed",
    type=click.FloatRange(1, 1000),
    default=20,
    show_default=True,
    help="With --on-screen: how many times faster than real people they are.",
)
@DATA_DIR
def rehearse_command(
    study: Path,
    participants: int,
    seed: int,
    jobs: int,
    people: Path | None,
    pictures: Path | None,
    on_screen: bool,
    speed: float,
    data_dir: Path,
) -> int:
    """Send simulated people through a study, without a window unless --on-screen is given.

    All of their data is marked as test data, and is in the folder rehearsals, apart from real data. It
    replaces all earlier test data of the same version there: an earlier rehearsal, and visits of 'study run
    --test'. The report is printed, and written as rehearsal.html; the tables are written and read back. If
    the rehearsal finds a fault, the exit code is 1.

    With --pictures, every screen of every cell and language is saved as a picture, with a page for the ethics
    board, screens.html. What does not fit on a small laptop is a fault.

    With --on-screen, the window shows what people enter, and then sends it. A game is played at once, without
    the window, and then shown at the speed. Escape, or closing the window, stops the rehearsal.

    Example: negoplatform study rehearse anger_2x2 --participants 80 --jobs 2
    """
    folder = load_study(study, data_dir)
    require_sound(folder)
    if pictures is not None:
        return _save_pictures(folder, pictures, data_dir)
    data = study_data(folder, data_dir, is_test=True)
    mix = load_people(people, folder)
    crashes = CrashFolder(data_dir / "crashes")
    if on_screen:
        # The other commands work where Tk is missing.
        from negoplatform.gui.shell.watched_rehearsal import watch_rehearsal

        visits = watch_rehearsal(
            folder,
            data,
            mix,
            participants=participants,
            seed=seed,
            speed=speed,
            data_dir=data_dir,
            report=crashes.write,
        )
        if len(visits) < participants:
            echo_line(
                f"Stopped after {len(visits)} of {counted(participants, 'visit')}. Test data: {data.root}"
            )
            return 0
    else:
        visits = rehearse(
            folder, data, mix, seed=seed, participants=participants, jobs=jobs, report=crashes.write
        )
    report = build_report(folder, data, mix, visits, seed=seed)
    for line in report_lines(report):
        echo_line(line)
    page = data.root / "rehearsal.html"
    atomic_write(page, report_page(report).encode("utf-8"), replace=True)
    echo_line(f"Test data: {data.root}. Report: {page}")
    return 1 if report.faults else 0


def _save_pictures(folder: StudyFolder, place: Path, data_dir: Path) -> int:
    """Save pictures of all screens; return the exit code."""
    # The other commands work where Tk is missing.
    from negoplatform.gui.shell.study_pictures import PAGE, save_study_pictures

    shown = save_study_pictures(folder, place, CrashFolder(data_dir / "crashes").write)
    faults = [fault for one in shown for fault in one.faults]
    for fault in faults:
        echo_line(f"Fault: {fault}")
    echo_line(f"{counted(sum(len(one.files) for one in shown), 'picture')}: {place / PAGE}")
    return 1 if faults else 0
