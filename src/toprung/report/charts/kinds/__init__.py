"""One kind of figure a file: ``draw(result)`` gives it, or None where there is nothing to see."""
