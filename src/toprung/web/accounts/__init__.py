"""Who is who: users, teams, invitations, and what each may do."""
