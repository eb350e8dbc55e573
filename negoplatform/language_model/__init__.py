"""An agent's words and ears by a language model: its words are checked, and its offers are not its own."""
