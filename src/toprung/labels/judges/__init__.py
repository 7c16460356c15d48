"""Who compares two answers? A person at a terminal, a language model, another program, or a file of answers."""
