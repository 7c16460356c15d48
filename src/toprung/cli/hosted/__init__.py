"""Commands to a hosted board from afar: login, submit, status."""
