"""How does a board end? Closed, scored to the last run, frozen, signed, cited."""
