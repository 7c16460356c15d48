"""Commands of who runs a server: serve, host, back up, move, publish."""
