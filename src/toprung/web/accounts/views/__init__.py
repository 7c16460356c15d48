"""What people do with their accounts and teams: one function for each action, named by a verb."""
