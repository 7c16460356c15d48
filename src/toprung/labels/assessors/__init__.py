"""Who judges, and how well? What each assessor did, how far that can be trusted, and who should be looked at."""
