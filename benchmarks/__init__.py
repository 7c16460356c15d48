"""What does Toprung cost, next to its peers? README.md says how to find out."""
