"""The entry point of the web process: Django's WSGI application behind readers of whole requests."""

from functools import partial

from django.conf import settings

from studio.proxies import client_of, read_blocks
from studio.serving.bodies import Reader
from studio.serving.bridge import Bridge
from studio.wsgi import application as django

address_of = partial(client_of, proxies=read_blocks(settings.PROXIES))
application = Bridge(django, settings.WEB_THREADS, address_of, Reader())
