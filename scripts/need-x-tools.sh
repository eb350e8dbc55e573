#!/bin/sh
# The tests open real windows on an X server of their own: Xvfb, a window manager, and keys and a mouse.
set -eu
missing=
for pair in Xvfb:xvfb openbox:openbox xdotool:xdotool xprop:x11-utils xclip:xclip; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    exit 0
fi
echo "The tests of the window need$missing; install them, on Debian and Ubuntu with: sudo apt-get install$missing" >&2
exit 1
