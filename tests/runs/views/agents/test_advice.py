import pytest

from runs.agents.endpoints.contract import Trouble
from runs.views.agents.advice import ADVICE
from runs.views.trials.judges import problem_of


@pytest.mark.parametrize("trouble", [trouble for trouble in Trouble if trouble is not Trouble.CANCELLED])
def test_all_trouble_with_a_model_has_its_advice(trouble):
    assert ADVICE[trouble]
    assert all(problem_of({"problem": trouble.value}, is_open=False))
