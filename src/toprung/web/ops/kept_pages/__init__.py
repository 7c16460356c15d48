"""Pages that are kept for whoever has no account, for as long as all that they were made of is the same."""
