"""Studies: folders, archives, templates and checks; their data on the disk, collecting and deleting it."""
