"""The names of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import negoplatform.training

PRINT_KINDS = """
from negoplatform.training import {names}
print(*[type(each).__name__ for each in ({names})])
"""


@pytest.mark.parametrize("names", ["env, parallel_env", "parallel_env, env"])
def test_a_name_means_the_same_whatever_was_imported_before(names: str) -> None:
    program = PRINT_KINDS.format(names=names)

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.split() == ["function", "function"], done.stderr


def test_no_name_of_the_package_is_the_name_of_one_of_its_modules() -> None:
    names, modules = set(negoplatform.training.__all__), set(negoplatform.training._MODULES.values())

    assert not names & modules
