"""The leaderboard: which view of it was asked for, its columns, its rows and its sentence."""
