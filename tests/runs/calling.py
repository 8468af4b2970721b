"""Calls that a process of its own makes through the only connection."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from runs.agents.endpoints.contract import ModelRequest
from runs.models import Connection
from runs.models.opening import open_endpoint


def call(times):
    """Ask so often at once; tells the answers."""
    endpoint = open_endpoint(Connection.objects.get())
    asked = ModelRequest("small", ({"role": "user", "content": "Hello"},), seconds=480)
    with ThreadPoolExecutor(times) as pool:
        replies = list(pool.map(endpoint.ask, [asked] * times))
    sys.stdout.write(json.dumps([reply.text for reply in replies]))
