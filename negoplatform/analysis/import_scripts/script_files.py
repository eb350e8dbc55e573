"""Scripts and metadata that are written next to exported tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from negoplatform.analysis.export_tables.columns import DataTable
from negoplatform.analysis.export_tables.dataset_description import dataset_description
from negoplatform.analysis.export_tables.export import ensure_absent, write_tables
from negoplatform.analysis.import_scripts.pandas_script import pandas_script
from negoplatform.analysis.import_scripts.r_script import r_script
from negoplatform.analysis.import_scripts.spss_script import COPIES, spss_copies, spss_script
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write

PANDAS_SCRIPT, R_SCRIPT, SPSS_SCRIPT = "import_tables.py", "import.R", "import.sps"
DESCRIPTION = "dataset_description.json"

SCRIPT_FILES = (PANDAS_SCRIPT, R_SCRIPT, SPSS_SCRIPT, DESCRIPTION)


def write_scripts(
    tables: Sequence[DataTable], folder: Path, *, name: str, version: str, about: str, replace: bool = False
) -> list[Path]:
    """Write the scripts that import tables, and the description of the data set, next to the tables.

    Args:
        tables: The tables, without the codebook.
        folder: The folder of the tables.
        name: The name of the data set.
        version: Its version.
        about: A sentence about its contents.
        replace: Whether existing files are replaced.

    Raises:
        NegoError: If a file exists already, or cannot be written.
    """
    files = {
        folder / PANDAS_SCRIPT: pandas_script(tables),
        folder / R_SCRIPT: r_script(tables),
        folder / SPSS_SCRIPT: spss_script(tables),
        folder / DESCRIPTION: dataset_description(tables, name=name, version=version, about=about),
    }
    ensure_absent(files, replace=replace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            atomic_write(path, text.encode("utf-8", "replace"), replace=replace)
    except OSError as error:
        raise NegoError(f"{error.filename or folder} cannot be written ({error.strerror}).") from None
    copies = spss_copies(tables)
    if copies:
        write_tables(copies, folder / COPIES, replace=replace)
    return list(files)
