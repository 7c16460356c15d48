"""What may everyone know of labels that are hidden? One object decides, and all that is shown asks it."""
