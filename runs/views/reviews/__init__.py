"""What people do in runs: reviews, how far they agree, turns in conversations, and answers tried out."""
