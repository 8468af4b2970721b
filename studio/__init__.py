"""The site around packs and runs."""
