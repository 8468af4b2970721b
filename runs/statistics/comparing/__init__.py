"""Runs side by side: what became of each case, and whether the difference can be chance. Pure: nothing is read here."""
