"""A participant's home."""
