"""Django's backend for PostgreSQL, with a bound for every wait; Django looks for it in the module ``base``."""
