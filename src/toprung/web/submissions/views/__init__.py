"""What people do with files and runs: one function for each action, named by a verb."""
