"""How sure is the order? Places that runs may have, and pairs of them."""
