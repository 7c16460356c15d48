"""How are files from strangers read? In a child process that may die, and takes nothing else with it."""
