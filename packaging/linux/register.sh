#!/bin/sh
# Puts the program into the menu of whoever runs this, from where it lies; --remove takes it out again.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
menu=$data/applications/negoplatform.desktop
kind=$data/mime/packages/negoplatform.xml

refresh() {
    # Each of them is missing on some desktops, which then look for themselves.
    update-mime-database "$data/mime" >/dev/null 2>&1 || true
    update-desktop-database "$data/applications" >/dev/null 2>&1 || true
}

if [ "${1:-}" = --remove ]; then
    rm -f "$menu" "$kind" "$data"/icons/hicolor/*/apps/negoplatform.png
    refresh
    echo "NegoPlatform is no longer in your menu."
    exit 0
fi
if [ $# -gt 0 ]; then
    echo "register.sh knows nothing but --remove." >&2
    exit 2
fi
case $here in
    *[\"\`\$\\%]*)
        echo "A menu cannot name $here: please move the folder to a path without quotes, \$, \\ and %." >&2
        exit 1
        ;;
esac
mkdir -p "$data/applications" "$data/mime/packages"
for picture in "$here"/_internal/negoplatform/_bundled/assets/icon/*.png; do
    size=$(basename "$picture" .png)
    mkdir -p "$data/icons/hicolor/${size}x$size/apps"
    cp "$picture" "$data/icons/hicolor/${size}x$size/apps/negoplatform.png"
done
cp "$here/negoplatform.xml" "$kind"
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec="%s/NegoPlatform" %%f\n' "$here" ;;
        TryExec=*) printf 'TryExec=%s/NegoPlatform\n' "$here" ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$here/negoplatform.desktop" >"$menu"
refresh
echo "NegoPlatform is in your menu, and opens session logs."
