"""The people of a team without the administration: members and roles, invitations, accounts of programs."""
