"""Sign-in by OpenID Connect: what the directory says of a person, and which account and roles follow from it."""
