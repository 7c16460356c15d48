"""What is an assessor asked? Tasks with golds, sittings, and the quality of work."""
