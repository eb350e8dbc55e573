"""Script that reads exported tables with R: ``import.R``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from negoplatform.analysis.export_tables.columns import Column, ColumnType, DataTable
from negoplatform.analysis.import_scripts.pandas_script import is_category

EXACT_INTEGER = 2**53
"""Whole numbers up to this one are exact in R and in SPSS; larger ones are read as text."""

SCRIPT = r"""# Reads the tables in the folder of this file: every table becomes a data frame of the same name.
# Columns of text with few values are factors. Numbers with labels stay numbers: their attribute "labels" has
# the labels, and labelled(participants$COLUMN) is a factor with them, in the order of the numbers. A rating
# scale is an ordered factor, and its points without a label are named by their numbers. An empty cell is NA.
# Needs no packages.

tables_folder <- local({
  sourced <- tryCatch(sys.frame(1)$ofile, error = function(problem) NULL)
  started <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  if (!is.null(sourced)) dirname(sourced) else if (length(started)) dirname(started[1]) else "."
})

read_table <- function(table, columns) {
  names <- vapply(columns, function(column) column$name, "")
  cells <- read.csv(file.path(tables_folder, paste0(table, ".csv")), colClasses = "character",
    na.strings = "", check.names = FALSE, encoding = "UTF-8", quote = "\"", comment.char = "",
    strip.white = FALSE, blank.lines.skip = FALSE)
  if (ncol(cells) != length(names)) stop(table, ".csv has other columns than this script")
  names(cells) <- names
  for (column in columns) {
    value <- convert(cells[[column$name]], column)
    if (!is.null(column$labels)) {
      attr(value, "labels") <- column$labels
      attr(value, "values") <- column$values
      attr(value, "ordered") <- isTRUE(column$ordered)
    }
    attr(value, "label") <- column$label
    cells[[column$name]] <- value
  }
  cells
}

convert <- function(value, column) {
  switch(column$type,
    integer = as.numeric(value),
    number = as.numeric(value),
    boolean = value == "1",
    datetime = as.POSIXct(value, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
    category = factor(value, levels = unique(c(column$values, sort(unique(value[!is.na(value)]))))),
    value)
}

labelled <- function(value) {
  labels <- attr(value, "labels")
  if (is.null(labels)) stop("there are no labels; label the column of the whole table, and then choose rows")
  values <- unique(c(attr(value, "values"), sort(unique(as.vector(value)))))
  texts <- as.character(values)
  texts[match(labels, values)] <- names(labels)
  twice <- duplicated(texts)
  texts[twice] <- paste0(texts[twice], " (", values[twice], ")")
  factor(as.vector(value), levels = values, labels = texts, ordered = attr(value, "ordered"))
}

"""


def r_script(tables: Iterable[DataTable]) -> str:
    """Return the script for some tables, in ASCII, so that R reads it correctly in every encoding."""
    return SCRIPT + "\n".join(_read_call(table) for table in tables)


def _read_call(table: DataTable) -> str:
    columns = ",\n".join(
        f"  {_column(column, has_long_numbers(table, i))}" for i, column in enumerate(table.columns)
    )
    return f'{table.name} <- read_table("{table.name}", list(\n{columns}))\n'


def _column(column: Column, is_text: bool) -> str:
    kind = "text" if is_text or column.kind is ColumnType.JSON else column.kind.value
    parts = [f"name = {r_string(column.name)}", f"label = {r_string(column.description)}"]
    if is_category(column):
        kind = "category"
        parts.append(f"values = c({', '.join(r_string(value) for value in column.values)})")
    elif column.labels and column.kind is ColumnType.INTEGER:
        values = ", ".join(value for value, _ in column.labels)
        names = ", ".join(r_string(label) for _, label in column.labels)
        parts.append(f"labels = setNames(c({values}), c({names}))")
        parts.append(f"values = c({', '.join(column.values or (value for value, _ in column.labels))})")
        if column.is_ordered:
            parts.append("ordered = TRUE")
    parts.insert(1, f"type = {r_string(kind)}")
    return f"list({', '.join(parts)})"


def r_string(text: str) -> str:
    """Return a text as a string of R in ASCII."""
    return '"' + "".join(_r_character(c) for c in text) + '"'


def _r_character(c: str) -> str:
    if c in '"\\':
        return f"\\{c}"
    if " " <= c <= "~":
        return c
    if c == "\0":
        return " "
    return f"\\u{ord(c):04x}" if ord(c) <= 0xFFFF else f"\\U{ord(c):08x}"


def has_long_numbers(table: DataTable, index: int) -> bool:
    """Return whether a column of whole numbers has values that are not exact as floating-point numbers."""
    if table.columns[index].kind is not ColumnType.INTEGER:
        return False
    cells: Sequence[object] = [row[index] for row in table.rows]
    return any(isinstance(cell, int) and abs(cell) > EXACT_INTEGER for cell in cells)
