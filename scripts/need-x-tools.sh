#!/bin/sh
# The tests open real windows on an X server of their own: Xvfb, a window manager, and keys and a mouse.
set -eu
missing=
for pair in Xvfb:xvfb openbox:openbox xdotool:xdotool xprop:x11-utils xclip:xclip; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -z "$missing" ] && exit 0
exec sh "$(dirname "$0")/install-packages.sh" "The tests of the window need" $missing
