"""The API of authoring: the functions of the pages, for programs."""
