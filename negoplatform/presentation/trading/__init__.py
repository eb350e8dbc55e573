"""What the window shows of a trading game, computed without Tk."""
