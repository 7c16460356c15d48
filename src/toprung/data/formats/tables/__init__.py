"""Tables in files: matrices, metadata, texts, published leaderboards."""
