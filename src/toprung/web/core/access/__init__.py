"""Who may see or do what? Getters named for the permission they ask for, and what a viewer sees."""
