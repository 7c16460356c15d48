"""How do two runs do on public queries, one by one? And which labels of them look wrong?"""
