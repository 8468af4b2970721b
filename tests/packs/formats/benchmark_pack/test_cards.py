from packs.formats.benchmark_pack.cards import card


def test_a_card_says_what_rows_have_in_common():
    facts = dict(card({"defaults": {"family": "repo_patch", "environment": {"image": "i"}}}).facts)
    assert facts == {
        "Default family": "Repository patch",
        "Image": "i",
        "Public files": "assets/",
        "Hidden files": "hidden/",
    }


def test_a_card_can_be_made_of_anything():
    assert card({"defaults": {"environment": {"image": 7}}, "asset_roots": 3}).criteria
