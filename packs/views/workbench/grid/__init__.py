"""The grid over the cases of an input set: find, change and exchange many of them."""
