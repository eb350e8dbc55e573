"""Contents of the packaged program, without building it."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("extra", ["analysis", "dask", "negmas", "scenarios", "tournament"])
def test_no_package_of_an_extra_that_is_not_the_programs_is_packaged(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = project["optional-dependencies"][extra]
    names = {re.split(r"[\[<>=;\s]", requirement)[0] for requirement in requirements} - {"negoplatform"}
    modules = {{"pyyaml": "yaml"}.get(name, name) for name in names}

    left_out = runpy.run_path(str(ROOT / "packaging" / "contents.py"))["LEFT_OUT"]

    assert names
    assert modules <= set(left_out)
