"""The public pages of a board as plain files."""
