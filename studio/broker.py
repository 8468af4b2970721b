"""The broker of files, with messages that appear whole."""

import os
import time
import uuid
from pathlib import Path
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """A channel whose messages nobody finds before they are written.

    The original writes a message where others look for it already. A worker that reads half of one ends.
    """

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # kombu's own does the same
        """Put a message into a queue. Raises ChannelError."""
        # Messages are taken in the order of their names.
        name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        place = Path(self.data_folder_out, name)
        unfinished = place.with_name(f".{name}")
        try:
            unfinished.write_text(dumps(payload))  # type: ignore[no-untyped-call]  # kombu has few types
            os.replace(unfinished, place)
        except OSError as error:
            raise ChannelError(f"Cannot add file {name!r} to directory") from error


class Transport(filesystem.Transport):
    """The transport of kombu with this channel."""

    Channel = Channel
