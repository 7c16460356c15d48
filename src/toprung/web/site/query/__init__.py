"""How do two runs do on public queries, one by one?"""
