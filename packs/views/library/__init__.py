"""The catalogue, and the pages of a pack beside its workbench: overview, origins, files, long work."""
