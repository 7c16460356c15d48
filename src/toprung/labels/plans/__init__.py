"""What is wanted of those who judge: how many votes, on which pairs, for how much money."""
