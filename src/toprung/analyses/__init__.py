"""What does the evidence support? One question per file; each gives back one Result."""
