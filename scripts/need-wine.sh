#!/bin/sh
# Wine runs the program for Windows, and a compiler for Windows makes what Wine lacks. Each argument is a command
# that is needed too, such as makensis.
set -eu
missing=
for command in wine x86_64-w64-mingw32-gcc "$@"; do
    command -v "$command" >/dev/null 2>&1 && continue
    case $command in
        wine) missing="$missing wine wine64" ;;
        *mingw*) missing="$missing gcc-mingw-w64-x86-64" ;;
        makensis) missing="$missing nsis" ;;
        *) missing="$missing $command" ;;
    esac
done
[ -z "$missing" ] && exit 0
exec sh "$(dirname "$0")/install-packages.sh" "The program for Windows needs" $missing
