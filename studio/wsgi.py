"""The WSGI entry point of the web process."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

application = get_wsgi_application()
# All pages, which take seconds on a busy machine: before the first visitor comes, and not while somebody waits.
import_module(settings.ROOT_URLCONF)
