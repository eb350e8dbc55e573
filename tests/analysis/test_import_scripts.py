"""The scripts that read exported tables, run by the programs that they are for, on awkward data."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    DataTable,
    build_table,
    integer_column,
)
from negoplatform.analysis.export_tables.export import write_tables
from negoplatform.analysis.import_scripts.script_files import write_scripts
from negoplatform.analysis.import_scripts.spss_script import spss_names, spss_string

LONG_NAME = "v" + 63 * "x"

TEXTS = [
    "plain",
    "שלום, \"עולם\"; 'כן'",
    'a "quoted" text, with; commas',
    "two\nlines\r\nand a third",
    "=1+1",
    "NA",
    "1e5",
    " blanks around ",
    "x" * 5000,
    "back\\slash and 'single' 'quotes'",
    None,
    "😀 ends with a dot.",
]

LABELS = (("1", "Not at all"), ("2", "לא; \"כך\", 'כך'"), ("3", "very " * 40), ("4", "Not at all"))

TABLE = build_table(
    "awkward",
    [
        Column("text", ColumnType.TEXT, "A text: \"quoted\", 'single', עברית; and\na line break."),
        Column("choice", ColumnType.INTEGER, "Chosen.", values=("1", "2", "3", "4"), labels=LABELS),
        Column("level", ColumnType.TEXT, "Level.", values=("happy", 'angry\'s "own"', "unused")),
        Column("share", ColumnType.NUMBER, "A share."),
        Column("flag", ColumnType.BOOLEAN, "A flag.", values=("0", "1"), labels=(("0", "no"), ("1", "yes"))),
        Column("at", ColumnType.DATETIME, "A time.", "UTC"),
        integer_column("seed", "A large number."),
        integer_column("nothing", "Empty cells only."),
        Column("to", ColumnType.TEXT, "A name that SPSS uses itself."),
        integer_column(LONG_NAME, "A long name. " + "é" * 300),
    ],
    [
        {
            "text": text,
            "choice": None if n == 3 else n % 4 + 1,
            "level": None if n == 5 else ["happy", 'angry\'s "own"', "something else"][n % 3],
            "share": None if n == 7 else [0.1, 1e-07, -2.5][n % 3],
            "flag": None if n == 1 else n % 2 == 0,
            "at": None if n == 2 else f"2026-11-28T01:02:{n:02}.5Z",
            "seed": 9_007_199_254_740_993 + n,
            "to": "b",
            LONG_NAME: n,
        }
        for n, text in enumerate(TEXTS)
    ],
)

SECOND = build_table("second", [integer_column("n", "A number.")], [{"n": 1}, {"n": None}])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the tables and their scripts."""
    tables = [TABLE, SECOND]
    write_tables(tables, tmp_path)
    write_scripts(tables, tmp_path, name="awkward", version="1", about="Awkward data.")
    return tmp_path


def column(table: DataTable, name: str) -> list[Any]:
    place = [one.name for one in table.columns].index(name)
    return [row[place] for row in table.rows]


def test_pandas_gets_types_categories_labels_and_missing_values(folder: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    check = """
import json
read = {name: [None if cell is pd.NA or cell is pd.NaT else cell for cell in awkward[name]]
        for name in awkward.columns if name not in ("level", "at")}
read["level"] = [None if cell is pd.NA or cell != cell else cell for cell in awkward["level"]]
read["at"] = [None if cell is pd.NaT else cell.isoformat() for cell in awkward["at"]]
labels = labelled("awkward", "choice")
print(json.dumps({"cells": read, "types": {n: str(t) for n, t in awkward.dtypes.items()},
    "levels": list(awkward["level"].cat.categories), "labels": list(labels.cat.categories),
    "labelled": [None if cell != cell or cell is pd.NA else cell for cell in labels], "second": len(second)},
    default=lambda cell: cell.item()))
"""
    script = folder / "check.py"
    script.write_text((folder / "import_tables.py").read_text(encoding="utf-8") + check, encoding="utf-8")

    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error", script], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    for name in ("text", "choice", "level", "share", "flag", "seed", "nothing", "to", LONG_NAME):
        assert found["cells"][name] == column(TABLE, name), name
    assert found["cells"]["at"][0] == "2026-11-28T01:02:00.500000+00:00"
    assert found["cells"]["at"][2] is None
    assert found["types"]["choice"] == "Int64"
    assert found["types"]["flag"] == "boolean"
    assert found["types"]["share"] == "Float64"
    assert found["levels"] == ["happy", 'angry\'s "own"', "unused", "something else"]
    assert found["labels"] == [*(label for _, label in LABELS[:3]), "Not at all (4)"]
    assert found["labelled"][:2] == ["Not at all", LABELS[1][1]]
    assert found["second"] == 2


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_gets_types_factors_labels_and_missing_values(folder: Path) -> None:
    check = r"""
source(file.path(folder, "import.R"))
hex <- function(value) ifelse(is.na(value), "-", vapply(value, function(one)
  paste(charToRaw(enc2utf8(as.character(one))), collapse = ""), ""))
out <- file(file.path(folder, "read.csv"), "w")
for (name in names(awkward)) {
  value <- awkward[[name]]
  if (is.numeric(value)) value <- ifelse(is.na(value), NA, sprintf("%.17g", value))
  if (inherits(value, "POSIXct")) value <- format(value, "%Y-%m-%d %H:%M:%OS1")
  writeLines(paste(c(name, class(awkward[[name]])[1], hex(value)), collapse = ","), out)
}
writeLines(paste(c("levels", hex(levels(awkward$level))), collapse = ","), out)
writeLines(paste(c("labelled", hex(labelled(awkward$choice))), collapse = ","), out)
writeLines(paste(c("about", hex(attr(awkward$text, "label"))), collapse = ","), out)
close(out)
"""
    script = folder / "check.R"
    script.write_text(f"folder <- {json.dumps(folder.as_posix())}\n{check}", encoding="utf-8")

    run = subprocess.run(["Rscript", "--vanilla", script], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    assert not run.stderr
    lines = {line.split(",")[0]: line.split(",")[1:] for line in (folder / "read.csv").read_text().split()}

    def cells(name: str, start: int = 1) -> list[str | None]:
        return [None if cell == "-" else bytes.fromhex(cell).decode() for cell in lines[name][start:]]

    # R reads a carriage return before a line feed within a cell as a line feed.
    texts = [None if text is None else text.replace("\r\n", "\n") for text in TEXTS]
    assert [None if text is None else text.replace("\r\n", "\n") for text in cells("text")] == texts
    assert [lines[name][0] for name in ("text", "choice", "level", "share", "flag", "at", "seed")] == [
        *("character", "numeric", "factor", "numeric", "logical", "POSIXct", "character"),
    ]
    for name in ("choice", "share"):
        assert [None if cell is None else float(cell) for cell in cells(name)] == column(TABLE, name)
    assert cells("flag") == [
        {True: "TRUE", False: "FALSE", None: None}[cell] for cell in column(TABLE, "flag")
    ]
    assert cells("level") == column(TABLE, "level")
    assert cells("seed") == [str(cell) for cell in column(TABLE, "seed")]
    assert cells("nothing") == [None] * len(TEXTS)
    assert cells("levels", 0) == ["happy", 'angry\'s "own"', "unused", "something else"]
    assert cells("at")[0] == "2026-11-28 01:02:00.5"
    assert cells("labelled", 0)[:4] == ["Not at all", LABELS[1][1], LABELS[2][1], None]
    assert cells("about", 0) == [TABLE.columns[0].description]


@pytest.mark.skipif(shutil.which("pspp") is None, reason="PSPP is not installed")
def test_pspp_gets_values_labels_and_missing_values(folder: Path) -> None:
    check = """
GET FILE='awkward.sav'.
SAVE TRANSLATE /OUTFILE='read.csv' /TYPE=CSV /REPLACE /FIELDNAMES /CELLS=VALUES
  /TEXTOPTIONS FORMAT=PLAIN.
DISPLAY DICTIONARY.
"""
    (folder / "check.sps").write_text((folder / "import.sps").read_text(encoding="utf-8") + check)

    run = subprocess.run(
        ["pspp", "-o", "out.csv", "-O", "format=csv", "check.sps"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )

    output = (folder / "out.csv").read_text(encoding="utf-8")
    assert run.returncode == 0, (run.stdout + run.stderr + output)[:3000]
    assert "warning" not in output, output[:3000]
    assert "error" not in output, output[:3000]
    rows = list(csv.DictReader((folder / "read.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(TEXTS)
    one_line = [" ".join((text or "").splitlines()).rstrip() for text in TEXTS]
    assert [row["text"].rstrip() for row in rows] == one_line
    assert [row["level"].rstrip() for row in rows] == [cell or "" for cell in column(TABLE, "level")]
    for name in ("choice", "share", "nothing"):
        found = [float(row[name]) if row[name].strip() else None for row in rows]
        assert found == pytest.approx(column(TABLE, name)), name
    assert [row["seed"].strip() for row in rows] == [str(cell) for cell in column(TABLE, "seed")]
    assert [row["to_var"].strip() for row in rows] == ["b"] * len(TEXTS)
    assert 'לא; ""כך"", \'כך\'' in output
    assert LABELS[2][1][:119] in output


def test_names_of_variables_for_spss_are_legal_and_different() -> None:
    names = spss_names(["to", "Value", "value", "n" * 70, "n" * 64])

    assert names == ["to_var", "Value", "value_2", "n" * 64, "n" * 62 + "_2"]


def test_strings_for_spss_are_cut_at_a_character_and_broken_into_short_lines() -> None:
    string = spss_string("'" * 100 + "ש" * 200, 255)

    pieces = [line.strip().removesuffix(" +") for line in string.splitlines()]
    text = "".join(piece[1:-1].replace("''", "'") for piece in pieces)
    assert text == "'" * 100 + "ש" * 77
    assert all(len(line.encode()) <= 256 for line in string.splitlines())


def test_the_description_of_the_data_set_names_every_variable_once(folder: Path) -> None:
    found = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))

    assert (found["@context"], found["@type"], found["name"]) == ("https://schema.org/", "Dataset", "awkward")
    names = [variable["name"] for variable in found["variableMeasured"]]
    assert names == [one.name for one in (*TABLE.columns, *SECOND.columns)]
    choice = found["variableMeasured"][1]
    assert [(one["value"], one["name"]) for one in choice["valueReference"]] == list(LABELS)
