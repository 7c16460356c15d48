"""The pages of a board that everyone may see."""
