"""file_json_schema: the content of a captured file is JSON that is valid under the schema in the configuration."""

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_target, settings_of
from runs.grading.graders.contract import Grade, Judgement
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.schemas import validate_text
from runs.grading.graders.values import TooDeep, plain_json


def inspect(actual: str, settings: Settings) -> Judgement:
    schema = settings["schema"]
    if schema is None:
        raise BadSettings("config.schema is required")
    try:
        return validate_text(actual, plain_json(schema))
    except TooDeep as error:
        raise BadSettings(f"config.schema is {error}") from error


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_target(spec, evidence, lambda actual: inspect(actual, settings_of(spec)))
