"""How do two runs of a board compare by themselves? Compared once, stored, and kept while they are the same."""
