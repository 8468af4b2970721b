"""The rule that is asked on publishing: stored files must exist (challenge-pack e, Z1)."""

from collections.abc import Container, Iterator

from packs.formats.challenge_pack.addresses import path_of
from packs.formats.challenge_pack.particulars import stored_files
from packs.formats.document import Pack
from packs.formats.findings import Finding, Rule

ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E991",
    "The stored file {artifact_id} does not exist here.",
    "Upload the file again, or remove `artifact_id`.",
    "Z1",
)


def check_artifacts(pack: Pack, known: Container[str]) -> Iterator[Finding]:
    """Z1: every `artifact_id` of the pack is one of the stored files that are `known` to its team."""
    for address, document in pack.nodes():
        for path, artifact_id in stored_files(address.kind, document):
            if artifact_id not in known:
                yield ARTIFACT_UNKNOWN.at((*path_of(address), *path), artifact_id=artifact_id)
