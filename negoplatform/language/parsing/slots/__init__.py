"""Terms of offers in texts: where they are, and what they mean."""
