"""How does who runs a board see that all is well? By readiness, logs and metrics, none of which tell what is hidden."""
