#!/bin/sh
# Makes the virtual environment $1 with the package $2, from a Python that is new enough and has Tk.
set -eu
venv=$1
package=$2

fits() {
    "$1" -c 'import sys, tkinter, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if ! { [ -x "$venv/bin/python" ] && fits "$venv/bin/python"; }; then
    python=
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if fits "$candidate"; then
            python=$candidate
            break
        fi
    done
    if [ -z "$python" ]; then
        echo "NegoPlatform needs Python 3.11 or newer with Tk and venv; on Debian and Ubuntu: apt install python3 python3-tk python3-venv (or name one: make run PYTHON=/path/to/python3)." >&2
        exit 1
    fi
    "$python" -m venv --clear "$venv"
fi
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$package"; then
    echo "The packages that NegoPlatform needs could not be installed; is there a way to the package index? The lines above say more." >&2
    exit 1
fi
