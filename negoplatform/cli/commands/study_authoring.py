"""Commands for authors of studies: study new, study list."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_folder import STUDY_FILE, load_study
from negoplatform.app.study.study_template import TEMPLATES, new_study, shipped_studies
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_line
from negoplatform.domain.errors import InputFileError
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.local_text import text_in


@click.command(name="new")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "template",
    type=click.Choice(list(TEMPLATES)),
    default="one_shot",
    show_default=True,
    help="one_shot: one negotiation. two_by_two: two factors between participants. rounds: three rounds with "
    "an agent that remembers, and one factor. within: three partners in a balanced order. "
    "wizard: a person decides what the partner says and offers.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="CODE",
    help="Keep this language only: en, de or he. Repeatable. Default: all three.",
)
@click.option("--title", default="", help="The title, which participants see.")
@DATA_DIR
def new_command(folder: Path, template: str, languages: tuple[str, ...], title: str, data_dir: Path) -> None:
    """Write a new study from a template, ready to be changed.

    NAME is a new folder, here or at a path such as studies/my_study. The study is named like the folder:
    small letters, digits and _, a letter first, at most 24 characters, such as anger_2027.

    Example: negoplatform study new my_study --from two_by_two --language en
    """
    study = new_study(folder, template, data_dir, languages=languages, title=title)
    model = study.study.model
    first = model.languages[0]
    echo_line(f"{folder} is a new study. It is complete and can be rehearsed now. What to do next:")
    steps = (
        (f"Write your laboratory and a contact into {folder / STUDY_FILE} (lab, contact).", ""),
        (f"Read and change the texts in {folder / 'texts' / first}, first consent.md and debrief.md.", ""),
        ("Change factors, partners, stages and payment in study.json; docs/studies.md has all keys.", ""),
        ("Look for mistakes:", f"negoplatform study check {folder}"),
        ("Try it with simulated people:", f"negoplatform study rehearse {folder} --participants 80"),
        ("Before the first participant:", f"negoplatform study freeze {folder}"),
    )
    for number, (text, command) in enumerate(steps, start=1):
        echo_line(f"  {number}. {text}")
        if command:
            echo_line(f"       {command}")


@click.command(name="list")
@DATA_DIR
def list_command(data_dir: Path) -> None:
    """List the studies that come with the program, and those installed on this computer.

    Example: negoplatform study list
    """
    shipped = [(bundled(STUDIES) / name, "comes with the program") for name in shipped_studies()]
    installed = [
        (path.parent, "installed")
        for path in sorted((data_dir / STUDIES).glob(f"*/{STUDY_FILE}"))
        if not path.parent.name.startswith(".")
    ]
    for path, origin in [*shipped, *installed]:
        try:
            folder = load_study(path, data_dir)
        except InputFileError as error:
            echo_line(f"{path.name}  cannot be used: {error}")
            continue
        model = folder.study.model
        frozen = (
            "frozen"
            if folder.is_frozen
            else "changed since it was frozen"
            if folder.changes
            else "not frozen"
        )
        count = len(model.cells())
        about = (
            f"{text_in(model.title, 'en')}; {count} cell{'s' * (count != 1)}; {', '.join(model.languages)}"
        )
        echo_line(f"{folder.study.label}  {origin}, {frozen} ({folder.study.sha256[:8]}): {about}")
        echo_line(f"    {path}")
