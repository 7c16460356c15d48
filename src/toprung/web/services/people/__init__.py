"""Teams, tokens, login links, and leaving."""
