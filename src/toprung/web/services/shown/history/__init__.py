"""What came when: claims, who held the rung, and what each submission proved."""
