"""What is there for a person to see and to do: their runs, what needs them, where they land."""
