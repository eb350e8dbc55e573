"""Tables, statistical tests and the report of a tournament."""
