import pytest

from packs.formats.tables import read_table
from packs.grid.beginnings import asked_recipe, likely_recipe
from packs.grid.naming import Unmappable, asked_mapping

TABLE = read_table("Stand,Frage,question\na,b,c\n")


def test_words_go_before_guesses_and_no_target_is_taken_twice(rows_file, columns):
    words = {"Frage": "input.question", "Stand": "/metadata/level"}
    found = asked_mapping(TABLE, rows_file, columns, words)
    assert found == {"Stand": "/metadata/level", "Frage": "/input/question", "question": ""}
    recipe = asked_recipe(likely_recipe(TABLE, "agentv"), TABLE, {"Frage": "question", "Stand": "answer"})
    assert recipe.mapping == {"Stand": "answer", "Frage": "/input", "question": ""}


def test_words_that_name_nothing_are_refused_with_what_there_is(rows_file, columns):
    with pytest.raises(Unmappable, match="Did you mean Frage"):
        asked_mapping(TABLE, rows_file, columns, {"Fragen": "/id"})
    with pytest.raises(Unmappable, match="'nothing' names nothing"):
        asked_mapping(TABLE, rows_file, columns, {"Frage": "nothing"})
    with pytest.raises(Unmappable, match="Use question, answer"):
        asked_recipe(likely_recipe(TABLE, "agentv"), TABLE, {"Frage": "nothing"})
