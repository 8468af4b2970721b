from pathlib import Path

import pytest

from runs.sandbox.programs import check_program, check_texts


@pytest.fixture
def place(tmp_path):
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "note").write_text("")
    (tmp_path / "link").symlink_to("/only/inside")

    def act(path):
        return Path(path) if path.startswith("/usr/") else tmp_path / path if not path.startswith("/") else None

    return act


@pytest.mark.parametrize("name", ["./run", "./link", "cat", "/usr/bin/cat"])
def test_a_program_that_is_there_may_be_started(place, name):
    check_program(name, place)


@pytest.mark.parametrize("name", ["no-such-program", "./missing", "/root/secret"])
def test_one_that_is_not_is_told(place, name):
    with pytest.raises(FileNotFoundError):
        check_program(name, place)


@pytest.mark.parametrize("name", ["./note", "/usr/bin", ""])
def test_what_is_no_program_is_told(place, name):
    with pytest.raises(PermissionError):
        check_program(name, place)


@pytest.mark.parametrize(
    ("arguments", "variables"), [([], {}), (["a\0b"], {}), (["a", "\0"], {}), (["a"], {"A": "\0"}), (["a"], {"\0": ""})]
)
def test_texts_that_no_program_can_be_given_are_told(arguments, variables):
    with pytest.raises(FileNotFoundError):
        check_texts(arguments, variables)
