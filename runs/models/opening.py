"""From connections as rows to endpoints that can be asked."""

from functools import lru_cache

from django.conf import settings

from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.exchange import Web
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.models.calls import slots_of
from runs.models.connections import Connection
from runs.models.sealing import unseal


@lru_cache(maxsize=4)
def web_of(hosts: tuple[str, ...]) -> Web:
    """The way out to these hosts. Processes keep it, and with it their idle connections."""
    return Web(AllowList.read(hosts))


def open_web() -> Web:
    """The way out that the settings allow."""
    return web_of(tuple(settings.ENDPOINT_HOSTS))


def open_endpoint(connection: Connection) -> OpenAIEndpoint:
    """The endpoint of a connection, with its key and its limits. Raises Unsealable."""
    return OpenAIEndpoint(
        name=connection.name,
        base_url=connection.base_url,
        web=open_web(),
        key=unseal(connection.sealed_key),
        provider=connection.provider,
        prices=connection.prices,
        timeout_seconds=connection.timeout_seconds,
        max_retries=connection.max_retries,
        has_responses=connection.has_responses,
        slots=slots_of(connection.pk, connection.max_concurrent, connection.requests_per_minute),
    )
