"""Digests: what makes two tasks the same for a comparison, and the hashes of a trace (task-suite 7.3 and 8.1)."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from unicodedata import normalize

from packs.formats.canonical_json import canonical_json
from packs.formats.document import Document
from packs.formats.task_suite.suites import effective_trials


def _digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def fingerprint(document: Document, rubrics: Mapping[str, str], config: Mapping[str, Any] | None = None) -> str:
    """The digest of everything about a task that changes what is measured; `rubrics` maps paths to SHA-256."""
    trials = effective_trials(document, config or {})
    return _digest(
        canonical_json(
            {
                "suite": document.get("suite"),
                "inputs": document.get("inputs", {}),
                "environment": document.get("environment", {}),
                "trials": {"k": trials.k, "metric": trials.metric},
                "graders": document.get("graders", []),
                "rubrics": dict(rubrics),
            }
        )
    )


def prompt_hash(text: str) -> str:
    """The digest of a system prompt; its line ends and the way it composes characters do not matter."""
    return _digest(normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).encode())


def tool_allowlist_hash(tools: Iterable[str]) -> str:
    """The digest of a list of tools; order and repeats do not matter."""
    return _digest(canonical_json(sorted(set(tools))))
