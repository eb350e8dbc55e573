"""What a market shows its participant, computed without Tk."""
