"""Studies: folders and archives, checks, visits of participants, assignment, rehearsal."""
