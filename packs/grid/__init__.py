"""Many cases at once: what a grid of them shows, which of them match, and changes of all that do.

Nothing here knows a format: columns come from the JSON Schema of its cases.
"""
