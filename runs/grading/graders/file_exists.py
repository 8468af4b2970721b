"""file_exists: a file was captured; with `must_exist: false` that it was not."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish, guarded, settings_of
from runs.grading.graders.contract import Grade, Judgement, decided, pack_error
from runs.grading.graders.evidence import Evidence


def compare(exists: bool, must_exist: bool) -> Judgement:
    return decided(exists is must_exist, "the file is there" if exists else "the file is not there", exists=exists)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    actual = evidence.resolve(spec.target)
    if actual.malformed:
        return finish(spec, pack_error(actual.reason))
    judgement = guarded(lambda: compare(actual.text is not None, settings_of(spec)["must_exist"]))
    return finish(spec, judgement, actual)
