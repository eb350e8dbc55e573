#!/bin/sh
# Prints a Python of version $1, such as 3.12, that has Tk and venv; nothing and a failure where there is none.
set -eu
# A name on the PATH may be a shim that leads nowhere, so each is asked.
for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1"[.-]*/bin/python; do
    if "$candidate" -c "import sys, tkinter, venv, ensurepip
sys.exit('%d.%d' % sys.version_info[:2] != '$1')" >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
done
exit 1
