"""What only publishing refuses: stored files that do not exist (challenge-pack e, Z1), and cases without content."""

from collections.abc import Container, Iterator

from packs.formats.challenge_pack.addresses import path_of
from packs.formats.challenge_pack.checks.case_advice import REFUSED_ON_PUBLISHING, advise_on_case
from packs.formats.challenge_pack.particulars import stored_files
from packs.formats.document import NodeKind, Pack
from packs.formats.findings import Finding, Rule

ARTIFACT_UNKNOWN = Rule(
    "challenge_pack.E991",
    "The stored file {artifact_id} does not exist here.",
    "Upload the file again, or remove `artifact_id`.",
    "Z1",
)
CONTENT_MISSING = Rule("challenge_pack.E992", "A version must say what its cases ask and expect. {message}", "{hint}")


def check_artifacts(pack: Pack, known: Container[str]) -> Iterator[Finding]:
    """Z1: every `artifact_id` of the pack is one of those `known` to its team; and every case has its content."""
    for address, document in pack.nodes():
        for path, artifact_id in stored_files(address.kind, document):
            if artifact_id not in known:
                yield ARTIFACT_UNKNOWN.at((*path_of(address), *path), artifact_id=artifact_id)
        if address.kind is NodeKind.CASE:
            empty = (found for found in advise_on_case(document) if found.code in REFUSED_ON_PUBLISHING)
            for found in empty:
                place = (*path_of(address), *found.path)
                yield CONTENT_MISSING.at(place, message=found.message, hint=found.hint)
