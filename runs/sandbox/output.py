"""What a program wrote: kept up to its limits and passed on line by line."""

from runs.sandbox.contract import MAX_STDERR_BYTES, Command, Stop


class Output:
    """The output of one command so far."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.line_start = 0

    def take(self, data: bytes, *, is_error: bool) -> Stop:
        """One more piece; whether the program wrote too much. What `on_line` raises comes through."""
        if is_error:
            self.stderr += data
            if len(self.stderr) > 2 * MAX_STDERR_BYTES:
                del self.stderr[:-MAX_STDERR_BYTES]
            return Stop.NONE
        self.stdout += data
        if len(self.stdout) > self.command.max_output_bytes:
            return Stop.OUTPUT_LIMIT
        self._pass_lines()
        return Stop.NONE

    def finish_line(self) -> None:
        """Pass on a last line without an end."""
        if self.command.on_line is not None and self.line_start < len(self.stdout):
            self.command.on_line(bytes(self.stdout[self.line_start :]))

    def texts(self) -> tuple[bytes, bytes]:
        """What is kept of both outputs."""
        return bytes(self.stdout), bytes(self.stderr[-MAX_STDERR_BYTES:])

    def _pass_lines(self) -> None:
        on_line = self.command.on_line
        if on_line is None:
            return
        while (end := self.stdout.find(b"\n", self.line_start)) >= 0:
            line = bytes(self.stdout[self.line_start : end])
            self.line_start = end + 1
            on_line(line)
