"""Contents of the window as plain values, computed without Tk."""
