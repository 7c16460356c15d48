"""Is the difference of two runs beyond chance? One test a file."""
