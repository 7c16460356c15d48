"""What do pages and API list? Rows, ledgers and exports as a viewer may see them."""
