"""The laws of every mechanism, and a small mechanism of the tests' own."""
