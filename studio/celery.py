"""The Celery application of the worker processes."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

app = Celery("studio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["runs", "packs", "studio"], related_name="jobs")
# Jobs that start runs stand above those that work them off.
app.autodiscover_tasks(["runs.launch"], related_name="gating")
