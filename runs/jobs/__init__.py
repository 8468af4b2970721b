"""Jobs: the Celery tasks that run trials.

A job works on one run, and with the threads that are left on others, until nothing waits any more. Messages are
few, and may get lost or be doubled: the rows say what is to be done, and the sweeper sends what is missing.
"""
