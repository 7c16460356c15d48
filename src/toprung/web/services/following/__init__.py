"""What is new on a board, and who is told: feeds, mails, announcements."""
