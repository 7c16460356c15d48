"""Parts of a server are killed under load: what was acknowledged is there, once, and nothing waits without a word."""
