"""Error messages if Tk is missing or incomplete."""

from __future__ import annotations

import pytest

from negoplatform.cli.require_tk import require_tk
from negoplatform.domain.errors import NegoError


def test_a_library_that_tk_lacks_is_named_in_a_sentence() -> None:
    lacking = "libxcb.so.1: cannot open shared object file: No such file or directory"

    with (
        pytest.raises(NegoError, match=r"no window can be opened; .* \(libxcb\.so\.1: cannot open"),
        require_tk(),
    ):
        raise ImportError(lacking, name="_tkinter", path="/usr/lib/python3.11/lib-dynload/_tkinter.so")


def test_a_python_without_tk_is_told_how_it_gets_one() -> None:
    with pytest.raises(NegoError, match="apt install python3-tk"), require_tk():
        raise ModuleNotFoundError("No module named '_tkinter'", name="_tkinter")


def test_what_is_wrong_with_our_own_modules_is_no_matter_of_tk() -> None:
    with pytest.raises(ImportError), require_tk():
        raise ImportError(
            "cannot import name 'a'", name="negoplatform.gui", path="negoplatform/gui/shell/application.py"
        )
