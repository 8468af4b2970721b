"""What answers: agents, connections to models, and the secrets of both."""
