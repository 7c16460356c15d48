"""How is it kept? Locks, the audit chain, files, columns as matrices, plans and stages."""
