"""Pages of the site itself: home, sessions, accounts, search, signs of the workers."""
