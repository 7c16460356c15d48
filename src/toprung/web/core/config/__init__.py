"""Where and how does this server run? Environment, databases, folders, keys."""
