from pathlib import Path

from runs.sandbox.victims import open_victim


def test_it_lives_with_its_secret_as_long_as_it_is_needed():
    with open_victim({"TOKEN": "s3cret"}) as pid:
        place = Path(f"/proc/{pid}/environ")
        assert place.read_bytes() == b"TOKEN=s3cret\0"
    assert not place.exists()
