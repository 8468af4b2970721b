"""What people do in runs: reviews, how far they agree, and turns in conversations."""
