"""Backups: a whole studio as one file that any of its databases can take back.

`archive` is the file, `rows` what goes between it and tables, `saving` and `restoring` are the acts, `jobs` the
timetable.
"""
