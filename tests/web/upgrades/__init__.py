"""Data of earlier versions, kept as files, is brought to this version and says what it said."""
