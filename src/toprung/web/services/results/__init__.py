"""What do pages show? Computed by tasks and stored, by audience."""
