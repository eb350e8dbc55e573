"""Build script of the installer for Windows, by NSIS: ``python packaging/windows_installer.py [FOLDER]``.

``FOLDER`` is the packaged program, ``dist/NegoPlatform`` unless given; the installer is written next to it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from contents import ROOT, folder_size, numbers_of, version
from icon import write_for_systems

DEBIANS_64_BITS = Path("/usr/share/nsis/Stubs/lzma_solid-amd64-unicode")
"""Beginning of an installer of 64 bits; on Windows, NSIS has none, and Wine often runs nothing else."""


def main() -> None:
    """Make the installer, or exit with a sentence about what is missing."""
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist" / "NegoPlatform").resolve()
    if not (program / "NegoPlatform.exe").is_file():
        sys.exit(f"{program} has no NegoPlatform.exe; packaging/build.py builds it.")
    compiler = shutil.which("makensis")
    if compiler is None:
        sys.exit("makensis, which makes the installer, is missing: apt install nsis, or choco install nsis.")
    setup = program.parent / f"NegoPlatform-{version()}-windows-setup.exe"
    work = ROOT / "build"
    work.mkdir(exist_ok=True)
    write_for_systems(work)
    given = {
        "VERSION": version(),
        "NUMBERS": ".".join(map(str, numbers_of(version()))),
        "KILOBYTES": folder_size(program) // 1024,
        "PROGRAM": program,
        "LICENCE": ROOT / "LICENSE",
        "ICON": work / "negoplatform.ico",
        "SIDE": work / "installer-side.bmp",
        "SETUP": setup,
    }
    script = ROOT / "packaging" / "windows" / "negoplatform.nsi"
    bits = "amd64" if DEBIANS_64_BITS.is_file() else "x86"
    command = [compiler, "-V2", "-WX", "-INPUTCHARSET", "UTF8", f"-XTarget {bits}-unicode"]
    command += [f"-D{name}={value}" for name, value in given.items()]
    if subprocess.run([*command, str(script)], check=False).returncode:
        sys.exit("makensis could not make the installer; the lines above say why.")
    print(f"{setup.name}: {setup.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
