"""A desktop program in which a person negotiates with an agent, and every event is logged."""

# Only what Python has loaded already, and no ``from __future__``, before the path is safe.
import os
import sys


def _remove_working_folder() -> None:
    """Remove the working folder, which ``python -m`` puts first on the module search path, as ``-P`` does.

    Files there that are named like modules, such as ``json.py``, are anybody's. If this package was found
    there, in a source checkout, the folder goes to the end instead, or before another copy of the package:
    processes that the program starts have to find the same one.
    """
    # Python sets this first argument while it looks for the module to run.
    if sys.flags.safe_path or sys.argv[:1] != ["-m"] or not sys.path:
        return
    try:
        working_folder = os.getcwd()  # noqa: PTH109  # pathlib is not loaded
    except OSError:  # the folder was removed, so Python has not put it on the path
        return
    if sys.path[0] not in ("", working_folder):
        return
    del sys.path[0]
    package = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    if os.path.dirname(package) == working_folder and working_folder not in sys.path:  # noqa: PTH120
        start = os.path.join(os.path.basename(package), "__init__.py")  # noqa: PTH118, PTH119
        others = (i for i, path in enumerate(sys.path) if os.path.isfile(os.path.join(path, start)))  # noqa: PTH113, PTH118
        sys.path.insert(next(others, len(sys.path)), working_folder)


_remove_working_folder()

from negoplatform.old_import_paths import install  # noqa: E402  # the path has to be safe first

__version__ = "0.1.0"

install()
