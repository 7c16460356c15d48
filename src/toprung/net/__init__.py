"""How is another machine asked? One HTTP request, and the pace of many."""
