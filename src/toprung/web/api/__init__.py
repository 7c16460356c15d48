"""What may a program ask for? The same as the pages show, as JSON, for who has a token and for everyone."""
