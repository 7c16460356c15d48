"""How do a board's files and texts come in, and who gets them? A verb a module."""
