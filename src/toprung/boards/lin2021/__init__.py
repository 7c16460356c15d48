"""What would Lin et al. 2021 say of two runs? Their reading, for the papers' tables; no board decides by it."""
