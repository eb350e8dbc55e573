#!/bin/sh
# Signs dist/NegoPlatform.app, has Apple look at it, and leaves dist/NegoPlatform-VERSION-macos-MACHINE.zip.
# Untried on a Mac: written on Linux. Wants a Developer ID in the key chain, and what notarytool has stored:
#   IDENTITY="Developer ID Application: …" PROFILE=negoplatform sh packaging/macos/sign.sh
set -eu
cd "$(dirname "$0")/../.."
app=dist/NegoPlatform.app
: "${IDENTITY:?names the certificate: security find-identity -p codesigning lists them}"
: "${PROFILE:?names the password that xcrun notarytool store-credentials has kept}"
[ -d "$app" ] || { echo "There is no $app; make app builds it." >&2; exit 1; }
version=$(plutil -extract CFBundleShortVersionString raw "$app/Contents/Info.plist")
archive=dist/NegoPlatform-$version-macos-$(uname -m).zip

sign() {
    codesign --force --timestamp --options runtime --sign "$IDENTITY" "$@"
}

is_program() {
    # By how a file begins, as Python itself lies in its framework without an ending.
    case $(od -An -N4 -tx1 "$1" | tr -d ' \n') in
        cffaedfe | cefaedfe | feedfacf | feedface | cafebabe | cafebabf) ;;
        *) return 1 ;;
    esac
}

# From the inside out: a signature covers what was signed before it.
find "$app/Contents" -type f | while IFS= read -r file; do
    if is_program "$file"; then sign "$file"; fi
done
find "$app/Contents" -depth -type d -name '*.framework' | while IFS= read -r framework; do
    sign "$framework"
done
sign --entitlements packaging/macos/entitlements.plist "$app"
codesign --verify --deep --strict "$app"

# ditto keeps what a signature needs; zip does not.
ditto -c -k --keepParent "$app" "$archive"
# That Apple has answered does not mean that it has accepted.
told=$(xcrun notarytool submit "$archive" --keychain-profile "$PROFILE" --wait) || true
echo "$told"
if ! echo "$told" | grep -q '^ *status: Accepted'; then
    number=$(echo "$told" | sed -n 's/^ *id: *//p' | head -n 1)
    [ -z "$number" ] || xcrun notarytool log "$number" --keychain-profile "$PROFILE" >&2 || true
    echo "Apple has not accepted $archive; what is above says why." >&2
    exit 1
fi
xcrun stapler staple "$app"
rm "$archive"
ditto -c -k --keepParent "$app" "$archive"
spctl --assess --type execute --verbose "$app"
echo "$archive is ready."
