from tests.audience_page import PAGE, render


def test_the_page_of_audiences_says_what_the_schemas_say():
    assert PAGE.read_text() == render(), "write it again: python -m tests.audience_page"
