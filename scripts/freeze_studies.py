"""Freezing of the shipped studies: ``make studies``.

Needed after a change to a shipped study, to a game, an agent or an instrument that it uses, or to the
program's version.

Only the manifests are written; an archive is made by ``negoplatform study freeze`` where one is needed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_check import require_sound
from negoplatform.app.study.study_folder import MANIFEST_NAME, build_manifest, load_study
from negoplatform.app.study.study_template import shipped_studies
from negoplatform.plugins.program_and_user_folders import bundled


def main() -> int:
    """Freeze every shipped study that was changed, and print its name."""
    with tempfile.TemporaryDirectory() as data:
        for name in shipped_studies():
            path = bundled(STUDIES) / name / MANIFEST_NAME
            path.unlink(missing_ok=True)  # the old manifest must not prevent the change
            folder = load_study(path.parent, Path(data))
            require_sound(folder)
            path.write_bytes(build_manifest(folder, shipped_hashes(folder)))
            print(f"{folder.study.label} {folder.study.sha256[:8]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
