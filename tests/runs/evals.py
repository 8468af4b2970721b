"""Packs of AgentV evals for tests of running, made from a few words."""

import yaml

from packs.importing import import_pack
from packs.publish import publish


def eval_test(name, says="done", **members):
    """A test that every agent passes that says a word."""
    asked = [{"name": "says", "type": "contains", "value": says}]
    return {"id": name, "criteria": "Says so.", "input": f"Say {says}.", "assertions": asked, **members}


def publish_evals(team, user, *tests, slug="evals", suites=None, **execution):
    """The version of a pack of one suite; `suites` maps paths of others to their documents."""
    documents = {"one.eval.yaml": suite("one", *tests, **execution), **(suites or {})}
    files = {path: yaml.safe_dump(document, sort_keys=False).encode() for path, document in documents.items()}
    return publish(import_pack(team, user, files, slug), user)


def suite(name, *tests, **execution):
    """A suite with its settings."""
    return {"name": name, **({"execution": execution} if execution else {}), "tests": list(tests)}
