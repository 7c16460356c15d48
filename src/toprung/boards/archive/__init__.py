"""How does a board survive its host? As one signed file that anybody can check: the format, and its verification.

A bundle is a tar file of which every byte is determined by its manifest; the manifest is signed with Ed25519. Nothing
here needs a server, a database or Django; docs/reference/bundle.md tells the format in words.
"""
