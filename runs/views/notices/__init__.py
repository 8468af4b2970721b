"""Pages of notices: what a person got and wants to get, and the webhooks of a team."""
