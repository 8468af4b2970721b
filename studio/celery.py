"""The Celery application of the worker processes."""

import os
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

# `manage.py up` says it in a sentence; programs of agents run as other users all the same.
warnings.filterwarnings("ignore", "You're running the worker with superuser privileges", SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "studio.broker:Transport"

app = Celery("studio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["packs", "studio"], related_name="jobs")
app.autodiscover_tasks(["runs.jobs"])
# Jobs that start runs stand above those that work them off.
app.autodiscover_tasks(["runs.launch"], related_name="gating")
