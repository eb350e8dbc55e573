"""Report of a tournament as one HTML file."""
