"""The entry point of the web process: Django's WSGI application behind readers of whole requests."""

from django.conf import settings

from studio.proxies import client_of, read_blocks
from studio.serving.bodies import Reader
from studio.serving.bridge import Bridge
from studio.wsgi import application as django

PROXIES = read_blocks(settings.PROXIES)


def address_of(peer: str, forwarded: str) -> str:
    """Where a request comes from, behind proxies of ours as well."""
    return client_of([*(hop.strip() for hop in forwarded.split(",")), peer], PROXIES)


application = Bridge(django, settings.WEB_THREADS, address_of, Reader())
