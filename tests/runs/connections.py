"""Connections for tests, to the server of `tests.openai_server`."""

from runs.models import Connection

KEY = "sk-planted-4711-do-not-show"
PRICED = {"name": "small", "input_per_million": 1.0, "output_per_million": 10.0}


def make_connection(team, model_server, name="models", key=KEY, **more):
    connection = Connection(team=team, name=name, base_url=model_server.url, **{"model_list": [PRICED], **more})
    connection.set_key(key)
    connection.save()
    return connection
