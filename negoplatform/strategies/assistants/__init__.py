"""Building blocks of the shipped assistants: plans, insights about the others, and summaries.

Everything that they say is a code with values, so that a window can say it in its own language; the codes are
in ``docs/assistants.md``.
"""
