"""Calls that a process of its own makes through a connection."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from django.db import connections

from packs.models import Team
from runs.endpoints.contract import ModelRequest
from runs.models import Connection
from runs.models.opening import open_endpoint


def prepare(url):
    team = Team.objects.create(slug="default", name="Default team")
    Connection.objects.create(team=team, name="models", base_url=url, max_concurrent=2)


def call(times):
    """Ask so often at once; tells the answers."""
    endpoint = open_endpoint(Connection.objects.get())
    asked = ModelRequest("small", ({"role": "user", "content": "Hello"},), seconds=60)
    with ThreadPoolExecutor(times, initializer=connections.close_all) as pool:
        replies = list(pool.map(endpoint.ask, [asked] * times))
    sys.stdout.write(json.dumps([reply.text for reply in replies]))
