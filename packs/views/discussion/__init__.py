"""Comments on drafts."""
