"""Gates: policies as forms and in words, verdicts, and the timetables of their runs."""
