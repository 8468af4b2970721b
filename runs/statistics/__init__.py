"""Every share, interval, comparison and measure of agreement, each defined once. Pure: nothing is read here."""
