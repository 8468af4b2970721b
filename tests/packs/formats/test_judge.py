from dataclasses import asdict

import orjson

from packs.formats.judge import JudgeSpec


def test_a_judge_is_asked_three_times_for_a_score_from_1_to_5_unless_it_says_otherwise():
    told = orjson.loads(orjson.dumps(asdict(JudgeSpec("tone", "rubric", ("small",), "Be kind."))))
    assert (told["samples"], told["scale_min"], told["scale_max"]) == (3, 1.0, 5.0)
    assert told["models"] == ["small"]
