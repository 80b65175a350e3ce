"""Progress of a run, which the program tells in lines: in one place of a terminal or a notebook, elsewhere line by line."""

from __future__ import annotations

import time
from typing import Any

# Variable by which the program is asked for lines, and how they begin.
VARIABLE, BEGIN = "MTEB_HOST_PROGRESS", "progress: "
# Seconds between two lines where they stay.
PAUSE = 10.0


class Progress:
    """Shows how far a run is on `stream`."""

    def __init__(self, stream: Any) -> None:
        # A notebook is no terminal, and takes a line back as one does.
        in_notebook = type(stream).__module__.startswith("ipykernel")
        self.stream, self.in_place = stream, in_notebook or (stream is not None and stream.isatty())
        self.width, self.last = 0, -PAUSE
        self.held: str | None = None

    def show(self, text: str) -> None:
        """Shows `text` in place of what was shown before."""
        if self.in_place:
            self._write("\r" + text.ljust(self.width))
            self.width = len(text)
        elif time.monotonic() - self.last >= PAUSE:
            self._write(text + "\n")
            self.held, self.last = None, time.monotonic()
        else:
            self.held = text

    def clear(self) -> None:
        """Makes room for another line."""
        if self.width:
            self._write("\r" + " " * self.width + "\r")
            self.width = 0

    def tell(self, line: str) -> None:
        """Shows a line that stays."""
        self._write(line)

    def end(self) -> None:
        """The last text stays."""
        if self.width:
            self._write("\n")
        elif self.held is not None:
            self._write(self.held + "\n")

    def _write(self, text: str) -> None:
        if self.stream is not None:
            self.stream.write(text)
            self.stream.flush()
