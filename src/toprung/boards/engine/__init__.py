"""Who is better, who may be best, and which claim passed? The one engine behind every answer."""
