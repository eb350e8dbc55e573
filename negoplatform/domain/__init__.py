"""What is negotiated: pure values and arithmetic, without clock and without files."""
