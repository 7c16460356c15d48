"""Results as pages: self-contained, readable without script, light and dark, on screen and on paper."""
