"""First script of both programs for Windows: their modules are in one file, ``_internal/modules.pyz``.

PyInstaller puts all modules into each program, which would take 14 MB twice. Its finders of modules share one
object, whose attributes are from here on those of that file. Only the standard library's first modules can be
imported before.
"""

import sys

import pyimod01_archive
import pyimod02_importers

modules = pyimod01_archive.ZlibArchiveReader(rf"{sys._MEIPASS}\modules.pyz", check_pymagic=True)
vars(pyimod02_importers.pyz_archive).update(vars(modules))
