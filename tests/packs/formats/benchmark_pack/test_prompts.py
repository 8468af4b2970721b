from packs.formats.benchmark_pack.prompts import prompt_of


def test_choices_are_listed_with_the_letters_that_the_verifier_knows():
    prompt = prompt_of("multiple_choice", {"question": "Which?", "choices": ["x", "y"]})
    assert "Question:\nWhich?" in prompt
    assert "A. x\nB. y" in prompt


def test_objects_are_shown_as_json():
    assert '{\n  "cwd": "/app"\n}' in prompt_of("terminal_task", {"instructions": "Go", "context": {"cwd": "/app"}})
