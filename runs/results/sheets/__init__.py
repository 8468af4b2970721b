"""Runs, comparisons and replays as one HTML file each, with their pictures, that opens without the studio.

A sheet needs no script, no style sheet and no other host, and its own policy forbids them. Its values are plain, so
that secrets can be cut out of all of them before it is drawn.
"""
