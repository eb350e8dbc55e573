"""Plugins: agents and game states from files, and the folders in which they lie.

Only the folders are exported: the window's first screen needs them, and waits for this package. What loads
code (``agent_loader``, ``code_file_trust_hash``, ``game_state_loader``, ``requirements``) is imported
from its module.
"""

from negoplatform.plugins.program_and_user_folders import (
    APP_NAME,
    beside_program,
    bundled,
    own_command,
    path_or_none,
    system_environment,
    user_folder,
    user_folder_if_any,
)

__all__ = [
    "APP_NAME",
    "beside_program",
    "bundled",
    "own_command",
    "path_or_none",
    "system_environment",
    "user_folder",
    "user_folder_if_any",
]
