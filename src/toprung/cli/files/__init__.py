"""Commands on files: evaluate, validate, convert, and which measures there are."""
