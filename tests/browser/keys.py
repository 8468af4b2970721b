"""Keys that the studio takes for one command where they follow each other soon."""

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

PATIENCE_MS = 3_000


def press_in_sequence(page: Page, *keys: str, until: Locator) -> None:
    """Press keys until what they lead to is there: on a busy machine they may follow each other too late."""
    for _ in range(100):
        for key in keys:
            page.keyboard.press(key)
        try:
            # What is pressed while an answer is under way is dropped, so the next try waits.
            until.wait_for(timeout=PATIENCE_MS)
            return
        except TooLate:
            continue
    expect(until).to_be_visible()
