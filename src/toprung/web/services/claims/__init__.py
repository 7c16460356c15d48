"""Who takes the top rung? Claims settled, recorded, voided; runs withdrawn; what is released."""
