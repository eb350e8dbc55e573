#!/bin/sh
# Unpacks the packaged program where nothing of this checkout helps it, and drives it by mouse and keys.
# What is behind it goes to pytest, the one that is named by PYTEST.
set -eu
archive=$(ls -t dist/*-linux-*.tar.xz 2>/dev/null | head -n 1)
if [ -z "$archive" ]; then
    echo "There is no packaged program in dist; make app builds it." >&2
    exit 1
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT INT TERM
tar -xJf "$archive" -C "$place"
NEGOPLATFORM_APP=$(echo "$place"/*/NegoPlatform)
export NEGOPLATFORM_APP
"${PYTEST:-.venv/bin/pytest}" tests/packaged "$@"
