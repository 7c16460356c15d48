"""How does an organiser run a campaign? From what it will buy to the next version of the labels."""
