"""A policy as a form, and back."""

import pytest
from django.http import QueryDict

from runs.gates import GATES, read_policy
from runs.gates.sections import as_section
from runs.views.gates.forms import form_of, read_section


def sent(form, gate):
    """What a browser sends of a form that nobody changed."""
    data = QueryDict(mutable=True)
    data.setlist("suites", [choice.value for choice in form.suites if choice.is_chosen])
    data.setlist("fail_on", [choice.value for choice in form.fail_on if choice.is_chosen])
    data.update({"latency": form.latency, "cost": form.cost, "min_samples": form.min_samples, "branch": form.branch})
    data.update({f"threshold-{suite}": share for suite, share in form.thresholds})
    data.update({"baseline": next(choice.value for choice in form.baselines if choice.is_chosen)})
    data.update(
        {name: "on" for name, is_set in (("require", form.is_required), ("blocking", form.is_blocking)) if is_set}
    )
    return data


@pytest.mark.parametrize("gate", GATES)
def test_a_form_that_nobody_changed_says_the_same_policy(gate):
    policy = read_policy(gate)
    form = form_of(as_section(policy), gate, policy.suites)
    assert read_policy(gate, read_section(sent(form, gate), gate)) == policy


def test_a_limit_that_is_emptied_is_no_limit():
    data = QueryDict("latency=&cost=2,5&baseline=pinned&run_id=%237")
    section = read_section(data, "ci_merge_gate")
    assert section["budgets"] == {"latency_p95_ms_increase_max": None, "cost_increase_max_percent": 2.5}
    assert section["baseline"]["run_id"] == "7"
