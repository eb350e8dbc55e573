"""Windows in other processes: the connection between a session and them."""
