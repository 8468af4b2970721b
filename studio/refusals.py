"""How the studio words a refusal for programs, also where no view was asked yet."""

from typing import Any

from packs.formats.findings import Finding, Path, Severity

# Below it programs ask: refusals there are `{"findings": [...]}`.
ROOT = "/api/"


def finding_of(code: str, message: str, path: Path, hint: str = "") -> Finding:
    return Finding(code=f"api.{code}", severity=Severity.ERROR, path=path, message=message, hint=hint)


def body_of(*findings: Finding) -> dict[str, Any]:
    """What an answer that refuses says, as JSON."""
    return {"findings": [finding.as_dict() for finding in findings]}
