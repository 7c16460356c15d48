"""How does a board move to another host? Written into a signed bundle, and restored from one."""
