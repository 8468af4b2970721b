"""Where worker and beat find the Celery application, with all jobs: `celery -A studio`."""

import os
import warnings

from celery.exceptions import SecurityWarning
from celery.fixups.django import fixup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

from packs.celery import app

__all__ = ["app"]

# `manage.py up` says it in a sentence; programs of agents run as other users all the same.
warnings.filterwarnings("ignore", "You're running the worker with superuser privileges", SecurityWarning)

# What workers need of Django; signals hold it weakly.
of_django = fixup(app)
