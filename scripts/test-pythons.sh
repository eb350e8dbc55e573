#!/bin/sh
# The suite without the windows, and a few windows, on every Python that is here; the last lines say on which.
# Arguments go to the first of the two: "make test-pythons ARGS=tests/core" asks for less.
set -u
cd "$(dirname "$0")/.." || exit 1
told=
failed=0

try() {
    venv=.venv-$1
    PYTHON=$2 sh scripts/make-venv.sh "$venv" '.[dev]' || return 1
    shift 2
    "$venv/bin/pytest" -n 2 --dist worksteal -p no:cacheprovider -m "not window" "$@" &&
        "$venv/bin/pytest" -n 0 -p no:cacheprovider tests/window/table/test_negotiations.py
}

sh scripts/need-x-tools.sh || exit 1
for version in 3.11 3.12 3.13 3.14; do
    if ! python=$(sh scripts/find-python.sh "$version"); then
        told="$told
Python $version: not tried, none with Tk and venv is here"
        continue
    fi
    echo "Python $version"
    if try "$version" "$python" "$@"; then
        told="$told
Python $version: passed"
    else
        told="$told
Python $version: FAILED"
        failed=1
    fi
done
echo "$told"
exit "$failed"
