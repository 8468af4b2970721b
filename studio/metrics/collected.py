"""All figures together, for `/metrics` and for the page of operations."""

from prometheus_client import CollectorRegistry

from studio.metrics.requests import Requests
from studio.metrics.rows import Rows


def everything() -> CollectorRegistry:
    """A registry that asks rows, files and web processes when it is read."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Rows())
    registry.register(Requests())
    return registry
