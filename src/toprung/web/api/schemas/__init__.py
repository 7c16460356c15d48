"""What do answers look like? One file for what belongs together."""
