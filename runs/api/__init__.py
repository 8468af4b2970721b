"""The API of running: the functions of the pages, for programs."""
