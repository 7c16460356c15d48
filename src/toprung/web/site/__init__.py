"""Pages: a view fetches with permission, reads what is stored, and renders."""
