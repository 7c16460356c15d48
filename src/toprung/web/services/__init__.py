"""What is done? A verb a file; none knows of requests."""
