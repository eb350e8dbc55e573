#!/bin/sh
# Installs the Debian packages $2… if that is possible here; otherwise says "$1 PACKAGES" and how to install them.
set -eu
purpose=$1
shift
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    exit 0
fi
echo "$purpose $*; install them, on Debian and Ubuntu with: sudo apt-get install $*" >&2
exit 1
