import pytest
from django.urls import reverse

from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def test_it_says_what_each_case_is_worth(as_author, team, author, version):
    run_with(
        team, author, version, {"strong": ["pp", "pp", "ff"], "middle": ["pp", "pf", "ff"], "weak": ["pp", "ff", "ff"]}
    )
    answer = as_author.get(reverse("runs-api:pack-items", args=[version.pack_id])).json()
    assert (answer["set"], answer["agents"], answer["cells"]) == ("default", ["strong", "middle", "weak"], 9)
    assert [(case["case_key"], case["difficulty"], case["finding"]) for case in answer["cases"]] == [
        ("case-0000", 1.0, "always"),
        ("case-0001", 0.5, "flaky"),
        ("case-0002", 0.0, "never"),
    ]
    # Without the middle case all agents are alike at the rest.
    assert answer["cases"][1]["discrimination"] is None
    assert answer["best"]["gaps"] == [{"case_key": "case-0001", "difference": 0.5}]
    assert answer["smallest_set"]["case_keys"] == ["case-0001"]
