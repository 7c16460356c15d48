"""The assessor's way: a link, consent, guidelines, pairs, thanks. Plain forms; a script only spares the waiting."""
