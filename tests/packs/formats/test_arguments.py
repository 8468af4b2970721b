import pytest

from packs.formats.arguments import LateParser, Misuse, Parser


def test_wrong_arguments_say_how_the_command_is_used():
    parser = Parser(prog="pack")
    parser.add_argument("path")
    with pytest.raises(Misuse, match=r"(?s)required: path.*usage: pack .*path"):
        parser.parse_args([])


def test_a_command_learns_its_own_arguments_and_not_those_of_others():
    learned = []

    def learn(parser):
        learned.append(parser.prog)
        parser.add_argument("--one")

    parser = Parser(prog="pack")
    commands = parser.add_subparsers()
    for name in ("check", "fmt"):
        command = commands.add_parser(name)
        assert isinstance(command, LateParser)
        command.learn = learn
    assert parser.parse_args(["fmt", "--one", "1"]).one == "1"
    assert parser.parse_args(["fmt", "--one", "2"]).one == "2"
    assert learned == ["pack fmt"]
