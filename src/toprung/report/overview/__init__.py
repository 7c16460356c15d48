"""Everything that the inputs allow, asked at once: what a report shows."""
