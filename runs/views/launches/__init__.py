"""A launch: what is chosen, who answers for its models, and how large it becomes."""
