"""The board: stores, permits, shows. Statistics come from the library; a page never computes them."""
