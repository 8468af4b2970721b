"""json_schema: the target is JSON that is valid under the schema in the expected text (challenge-pack d.3)."""

from runs.grading.graders.comparison import by_texts
from runs.grading.graders.schemas import validate_text

grade = by_texts(validate_text)
