"""The folder of a judging effort: append-only records, and the state that follows from them."""
