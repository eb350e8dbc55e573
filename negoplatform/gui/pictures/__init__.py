"""Pictures of issues: drawn ones, and files that games bring."""
