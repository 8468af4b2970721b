"""Pages of teams: their members, invitations and accounts of programs."""
