"""What does each page of boards show? A view fetches with permission, reads what is stored, and renders."""
