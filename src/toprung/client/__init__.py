"""A hosted board from afar: who one is there, files sent so that nothing is lost, runs submitted once, and followed.

Only the standard library speaks to the server; ``toprung.web`` is not needed.
"""
