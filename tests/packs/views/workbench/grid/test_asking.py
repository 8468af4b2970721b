from packs.grid.queries import query_of


def test_parameters_make_a_query_and_odd_ones_nothing():
    query = query_of({"q": "a", "problems": "error", "is:/family": "x", "sort": "-/input/question"})
    assert (query.text, query.problems, query.where) == ("a", "error", {"/family": "x"})
    assert (query.sort, query.descending) == ("/input/question", True)
    assert not query_of({"problems": "all", "sort": "id; drop", "is:family": "x", "column": "/a"}).is_narrowed


def test_a_query_stays_in_the_addresses_of_a_grid(as_author, rows_url):
    grid = as_author.get(rows_url, {"q": "van 3", "is:/family": "short_answer", "page": "1"}).context["grid"]
    assert grid.csv_url.endswith("/rows/csv/?q=van+3&is%3A%2Ffamily=short_answer")
    assert grid.plain_url == rows_url
