#!/bin/sh
# Wine runs the program for Windows, and a compiler for Windows makes what Wine lacks. Each argument is a command
# that is needed too, such as makensis.
set -eu
missing=
for command in wine wineserver x86_64-w64-mingw32-gcc "$@"; do
    command -v "$command" >/dev/null 2>&1 && continue
    case $command in
        wine*) missing="$missing wine wine64" ;;
        *mingw*) missing="$missing gcc-mingw-w64-x86-64" ;;
        makensis) missing="$missing nsis" ;;
        *) missing="$missing $command" ;;
    esac
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    exit 0
fi
echo "Missing:$missing. Install them, on Debian and Ubuntu with: sudo apt-get install$missing" >&2
exit 1
