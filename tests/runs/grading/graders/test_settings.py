import pytest

from runs.grading.graders.settings import BadSettings, Settings


def test_an_absent_or_null_member_has_its_default():
    settings = Settings({"flag": None})
    assert settings.flag("flag", default=True) is True
    assert settings.number("n") is None
    assert settings.choice("mode", "a", "b") == "a"
    assert settings.share("share", 0.3) == 0.3


@pytest.mark.parametrize(
    "read",
    [
        lambda settings: settings.number("text"),
        lambda settings: settings.number("flag"),
        lambda settings: settings.whole("half"),
        lambda settings: settings.flag("text"),
        lambda settings: settings.text("flag"),
        lambda settings: settings.texts("mixed"),
        lambda settings: settings.texts("text"),
        lambda settings: settings.choice("text", "a"),
        lambda settings: settings.count("zero", 1),
        lambda settings: settings.positive("zero", 1),
    ],
)
def test_a_value_of_another_kind_is_refused(read):
    config = {"text": "x", "flag": True, "half": 0.5, "mixed": ["a", 1], "zero": 0}
    with pytest.raises(BadSettings):
        read(Settings(config))


def test_unknown_members_are_refused_where_the_kind_knows_its_own():
    assert Settings({"x": 1}).value("x") == 1
    with pytest.raises(BadSettings):
        Settings({"x": 1}, ("y",))


def test_a_configuration_that_is_no_map_is_refused():
    with pytest.raises(BadSettings):
        Settings(["x"])
