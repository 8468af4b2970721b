import pytest

from packs.api.shared.uploads import attachment, safe


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a b.txt", "a b.txt"),
        ('a"b\\c', "a_b_c"),
        ("a\r\nSet-Cookie: x", "a__Set-Cookie: x"),
        ("é🙂", "__"),
        ("", "file"),
    ],
)
def test_a_file_name_cannot_break_out_of_its_header(name, kept):
    assert safe(name) == kept


def test_bytes_are_offered_for_saving_and_never_for_running():
    response = attachment(b"<script>", "x.html", "application/octet-stream", '"e"')
    assert response["Content-Disposition"].startswith("attachment;")
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("text", ['"\\ud800"', '["a", "\\uDFFF b"]', '{"k\\ud83d": 1}'])
def test_half_a_character_is_refused_before_it_is_stored(as_administrator, team, text):
    body = f'{{"team": "default", "name": "a", "kind": "echo", "config": {{"prefix": {text}}}}}'
    answered = as_administrator.post("/api/v1/agents/", body, content_type="application/json")
    assert answered.status_code == 400
    [found] = answered.json()["findings"]
    assert found["code"] == "api.half_character"
    assert found["path"].startswith("config.prefix")


def test_whole_characters_may_come_in_halves(as_author, team):
    body = '{"team": "default", "title": "Pack \\ud83d\\ude00"}'
    made = as_author.post("/api/v1/packs/", body, content_type="application/json")
    assert (made.status_code, made.json()["title"]) == (201, "Pack \U0001f600")
