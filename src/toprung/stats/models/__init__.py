"""How do votes, boards and query sets come about? Models that are fitted or drawn from."""
