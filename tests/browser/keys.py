"""Keys of the studio as people press them."""

TRIES = 200


def press_in_sequence(page, *keys, until):
    """Press keys that are a command only where they follow each other soon, until what they lead to is there."""
    for _ in range(TRIES):
        for key in keys:
            page.keyboard.press(key)
        if until.is_visible():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{keys} led nowhere")
