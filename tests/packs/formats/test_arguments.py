import pytest

from packs.formats.arguments import Misuse, Parser


def test_wrong_arguments_say_how_the_command_is_used():
    parser = Parser(prog="pack")
    parser.add_argument("path")
    with pytest.raises(Misuse, match=r"(?s)required: path.*usage: pack .*path"):
        parser.parse_args([])
