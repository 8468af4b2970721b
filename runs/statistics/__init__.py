"""Numbers over many trials; every share is defined once, in `shares`. Pure: nothing is read here."""
