"""How is a thing said? Names made visible, wording that many sentences share, assumptions worded once."""
