"""Pages of organisers who have answers judged: a draft, a campaign that runs, its people, its labels."""
