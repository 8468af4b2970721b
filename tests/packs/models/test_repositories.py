from packs.models import GitFolder


def test_a_folder_is_behind_where_the_repository_went_on():
    row = GitFolder(address="https://host/a.git", branch="main", folder="x", commit="1", fetched_commit="2")
    assert (row.is_behind, str(row)) == (True, "https://host/a.git (main, x)")
    row.commit = "2"
    assert not row.is_behind
