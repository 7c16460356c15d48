"""Files made to break readers: each is read, or refused with a sentence (docs/design/fuzzing.md)."""
