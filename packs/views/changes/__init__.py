"""What is different between two states of a pack, and bringing back what was."""
