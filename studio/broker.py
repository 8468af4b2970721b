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
    """A channel whose messages nobody finds before they are written, in folders that are made when they are missing.

    The original writes a message where others look for it already. A worker that reads half of one ends.
    """

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)  # type: ignore[no-untyped-call]  # kombu has few types
        for folder in (self.data_folder_in, self.data_folder_out, self.control_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)

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
            raise ChannelError(f"No message can be written: {error}") from error


class Transport(filesystem.Transport):
    """The transport of kombu with this channel."""

    Channel = Channel
