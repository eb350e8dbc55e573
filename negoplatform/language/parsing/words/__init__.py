"""From characters to words with meanings."""
