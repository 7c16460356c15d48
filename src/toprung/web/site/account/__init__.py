"""The pages of a person: account, teams, tokens."""
