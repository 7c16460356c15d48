"""How is all of a server kept and brought back? One file: a snapshot of the database, and every file that it names."""
