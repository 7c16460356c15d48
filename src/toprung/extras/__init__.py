"""Packages that only some of the work needs: each is imported through here, so that its want is said in one way."""
