"""How does a server run? Settings, addresses, processes, backup, publication, logs; only commands import it."""
