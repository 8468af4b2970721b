"""The Celery application through which jobs are sent, loaded when the first of a process is.

It stands apart from what sends (`packs.messages`), since loading Celery takes longer than most commands work.
"""

from celery import Celery
from kombu.exceptions import OperationalError

# What sending raises when the broker cannot be reached.
UNREACHABLE = (OperationalError, OSError)

# Without the fix-ups of workers (`studio.celery`): what sends need not load what they are made of.
app = Celery("studio", fixups=[])
app.config_from_object("django.conf:settings", namespace="CELERY")
