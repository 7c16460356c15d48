"""How large, and how sure? Intervals of means, shares, ratios and effects."""
