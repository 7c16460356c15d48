"""How sure is it which answer is best? What the votes say of strengths, P(best), and the prior they share."""
