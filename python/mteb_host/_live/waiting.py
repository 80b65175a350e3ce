"""What a model gives, be it at once or by `async def`: awaited in a loop of its own, as that of a notebook already runs."""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import threading
from typing import Any, Awaitable

# Seconds between two looks at whether the loop still runs, and those that its tasks have to end.
_PAUSE = 0.2
_LONGEST = 2.0


class Waiting:
    """One event loop in a thread of its own, which is there as long as the model is served, so that what a model opens stays open."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def had(self, given: Any) -> Any:
        """The value itself, or what it comes to if it has to be awaited.

        Raises:
            RuntimeError: If the model has ended the loop.
        """
        if not inspect.isawaitable(given):
            return given
        loop, thread = self._running()
        found = asyncio.run_coroutine_threadsafe(_await(given), loop)
        try:
            while not concurrent.futures.wait([found], timeout=_PAUSE).done:
                if not thread.is_alive() and not found.done():
                    raise RuntimeError("the model stopped the event loop in which the host awaits it; it may stop only loops of its own")
            return found.result()
        except BaseException:
            # Ctrl-C interrupts this thread, and what it waits for goes on otherwise.
            found.cancel()
            raise

    def _running(self) -> tuple[asyncio.AbstractEventLoop, threading.Thread]:
        if self._loop is None or self._thread is None or not self._thread.is_alive():
            self.close()
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="mteb-host-await", daemon=True)
            self._thread.start()
        return self._loop, self._thread

    def close(self) -> None:
        """Ends the loop, and what waits in it. A model that holds the loop up is left behind, in a thread that ends with the process."""
        loop, thread = self._loop, self._thread
        self._loop = self._thread = None
        if loop is None or thread is None or loop.is_closed():
            return
        if thread.is_alive():
            ended = asyncio.run_coroutine_threadsafe(_end_tasks(), loop)
            concurrent.futures.wait([ended], timeout=_LONGEST)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(_LONGEST)
        if not thread.is_alive():
            loop.close()


async def _await(given: Awaitable[Any]) -> Any:
    return await given


async def _end_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_LONGEST / 2)
