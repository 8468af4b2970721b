"""Keys that the studio takes for one command."""

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

PATIENCE_MS = 3_000


def press_in_sequence(page: Page, *keys: str, until: Locator) -> None:
    """Press keys until what they lead to is there: what is pressed while an answer is under way is dropped."""
    for _ in range(100):
        for key in keys:
            page.keyboard.press(key)
        try:
            until.wait_for(timeout=PATIENCE_MS)
            return
        except TooLate:
            continue
    expect(until).to_be_visible()
