"""The entry point of the web process: Django's WSGI application behind readers of whole requests."""

from django.conf import settings

from studio.proxies import client_of, counted_address, read_blocks
from studio.serving.bodies import Reader
from studio.serving.bridge import Bridge
from studio.wsgi import application as django

PROXIES = read_blocks(settings.PROXIES)


def address_of(peer: str, forwarded: str) -> str:
    """Where a request comes from, as limits count it."""
    return counted_address(client_of(peer, forwarded, PROXIES))


application = Bridge(django, settings.WEB_THREADS, address_of, Reader())
