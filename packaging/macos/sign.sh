#!/bin/sh
# Signs dist/NegoPlatform.app, has Apple look at it, and leaves dist/NegoPlatform-VERSION-macos.zip.
# Untried: written on Linux. Wants a Developer ID in the key chain, and what notarytool has stored:
#   IDENTITY="Developer ID Application: …" PROFILE=negoplatform sh packaging/macos/sign.sh
set -eu
cd "$(dirname "$0")/../.."
app=dist/NegoPlatform.app
: "${IDENTITY:?names the certificate: security find-identity -p codesigning lists them}"
: "${PROFILE:?names the password that xcrun notarytool store-credentials has kept}"
[ -d "$app" ] || { echo "There is no $app; make app builds it." >&2; exit 1; }
version=$(/usr/libexec/PlistBuddy -c "Print CFBundleShortVersionString" "$app/Contents/Info.plist")
archive=dist/NegoPlatform-$version-macos-$(uname -m).zip

# From the inside out: a signature covers what was signed before it.
find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -exec \
    codesign --force --timestamp --options runtime --sign "$IDENTITY" {} +
codesign --force --timestamp --options runtime --entitlements packaging/macos/entitlements.plist \
    --sign "$IDENTITY" "$app"
codesign --verify --deep --strict "$app"

# ditto keeps what a signature needs; zip does not.
ditto -c -k --keepParent "$app" "$archive"
xcrun notarytool submit "$archive" --keychain-profile "$PROFILE" --wait
xcrun stapler staple "$app"
rm "$archive"
ditto -c -k --keepParent "$app" "$archive"
spctl --assess --type execute --verbose "$app"
echo "$archive is ready."
