from studio.views.reference import described


def operations():
    return [one for ways in described()["paths"].values() for one in ways.values()]


def test_every_tag_is_described():
    used = {tag for one in operations() for tag in one["tags"]}
    assert used == {tag["name"] for tag in described()["tags"]}
