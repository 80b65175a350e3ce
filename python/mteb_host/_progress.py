"""Progress of a run, which the program tells in lines: a bar in a notebook, one place of a terminal, elsewhere line by line."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from typing import Any

from ._visible import visible_line

# Variable by which the program is asked for lines, and how they begin.
VARIABLE, BEGIN = "MTEB_HOST_PROGRESS", "progress: "
# Seconds between two lines where they stay.
PAUSE = 10.0
# What a line says of the whole run, and what else.
_SHARE = re.compile(r"(?P<units>\d+/\d+ units), (?P<percent>\d+) %, (?P<more>.*)")
# The bar of a notebook. A total of texts is not known before all tasks are read, so that it counts percents.
_BAR = "mteb-host: {percentage:3.0f}%|{bar}| {desc} [{elapsed}]"


def tell(line: str) -> None:
    """Shows a line of this package itself, wherever lines are shown."""
    with contextlib.suppress(Exception):
        sys.stderr.write(visible_line(line) + "\n")


class Progress:
    """Shows how far a run is on `stream`."""

    def __init__(self, stream: Any) -> None:
        # A notebook is no terminal, and takes a line back as one does.
        in_notebook = type(stream).__module__.startswith("ipykernel")
        self.stream, self.in_place = stream, in_notebook or (stream is not None and stream.isatty())
        self.width, self.last = 0, -PAUSE
        self.held: str | None = None
        self.bar: Any = None
        self.has_bars = in_notebook

    def show(self, text: str) -> None:
        """Shows `text` in place of what was shown before."""
        if self.has_bars and self._show_bar(text):
            return
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
        if self.bar is not None:
            self.bar.close()
        elif self.width:
            self._write("\n")
        elif self.held is not None:
            self._write(self.held + "\n")

    def _show_bar(self, text: str) -> bool:
        """One bar for the whole run, if tqdm is there to draw it."""
        found = _SHARE.fullmatch(text)
        if found is None:
            return False
        if self.bar is None:
            # Where it stood what was done before.
            self.clear()
            self.bar = _new_bar()
            if self.bar is None:
                self.has_bars = False
                return False
        # What was said once is not taken back when a task turns out to be a large one.
        self.bar.n = max(self.bar.n, int(found["percent"]))
        self.bar.set_description_str(f"{found['units']}, {found['more']}", refresh=False)
        self.bar.refresh()
        return True

    def _write(self, text: str) -> None:
        if self.stream is not None:
            self.stream.write(text)
            self.stream.flush()


def _new_bar() -> Any:
    with contextlib.suppress(Exception):
        import warnings

        with warnings.catch_warnings():
            # Without widgets it draws a bar of text, and says that it could do better.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm

            return tqdm(total=100, bar_format=_BAR)
    return None
