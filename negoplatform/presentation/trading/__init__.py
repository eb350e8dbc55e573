"""Views of trading: goods and money, proposals, trade ticket, result; computed without Tk."""
