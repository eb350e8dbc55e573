"""A desktop program in which a person negotiates with an agent, and every event is logged."""

from negoplatform.old_import_paths import install

__version__ = "0.1.0"

install()
