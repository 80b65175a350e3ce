"""What a model gives, be it at once or by `async def`: awaited in a loop of its own, as that of a notebook already runs."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import Any, Awaitable


class Waiting:
    """One event loop in a thread of its own, which is there as long as the model is served, so that what a model opens stays open."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def had(self, given: Any) -> Any:
        """The value itself, or what it comes to if it has to be awaited."""
        if not inspect.isawaitable(given):
            return given
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="mteb-host-await", daemon=True)
            self._thread.start()
        found = asyncio.run_coroutine_threadsafe(_await(given), self._loop)
        try:
            return found.result()
        except BaseException:
            # Ctrl-C interrupts this thread, and what it waits for goes on otherwise.
            found.cancel()
            raise

    def close(self) -> None:
        """Ends the loop."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = None


async def _await(given: Awaitable[Any]) -> Any:
    return await given
