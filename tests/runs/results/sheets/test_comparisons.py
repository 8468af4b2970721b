import pytest

from runs.models import Run
from runs.replay.redaction import Redactor
from runs.results.sheets.comparisons import comparison_sheet
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def test_it_shows_the_columns_with_their_picture_and_the_cases_that_changed_first(team, author, version):
    first = run_with(team, author, version, {"<old>": ["p", "p", "f"]})
    second = run_with(team, author, version, {"new": ["p", "f", "f"]})
    runs = list(Run.objects.filter(pk__in=[first.pk, second.pk]).order_by("pk"))
    page = comparison_sheet(runs, "", Redactor())
    assert "<svg" in page
    assert "&lt;old&gt;" in page
    assert "<old>" not in page
    assert "33.3 % (1 of 3)" in page
    assert "-33.3 points" in page
    assert page.index("case-0001") < page.index("case-0000")
    assert "The base is B." in comparison_sheet(runs, str(second.pk), Redactor())
