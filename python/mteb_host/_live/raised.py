"""Which exception of a model is why the program failed. The program tells it in its own words: shorter, escaped, in one line."""

from __future__ import annotations

import contextlib

from .._binary import MtebHostError, UnitsFailed
from .._units import Unit
from .._visible import visible
from .._worker.frames import Refused
from .traces import of_model

# Letters and digits by which a long text is known. The program shows more of it.
_BEGIN = 200


def own(errors: list[tuple[str, BaseException]], failed: MtebHostError) -> BaseException:
    """What the model raised, if that is why the program failed; else that it failed.

    Args:
        errors: What the program was told of each exception of the model, and the exceptions.
        failed: That the program failed.
    """
    units: list[Unit] = failed.results.failures if isinstance(failed, UnitsFailed) else []
    reasons = _known_by("\n".join([str(failed), *(unit.failure or "" for unit in units)]))
    raised = [(_known_by(said), error) for said, error in errors if not isinstance(error, Refused)]
    for length in (None, _BEGIN):
        for said, error in raised:
            if said[:length] in reasons:
                return with_note(error, failed)
    return failed


def with_note(found: BaseException, failed: MtebHostError) -> BaseException:
    """What the model raised, with what it cost, and with its own traceback."""
    # Its class may be written so that it takes neither.
    with contextlib.suppress(Exception):
        # What is behind it in the program, for whoever asks.
        found.mteb_host = failed  # type: ignore[attr-defined]
    with contextlib.suppress(Exception):
        found.add_note(f"mteb-host: {failed}")  # type: ignore[attr-defined] # Python 3.11
    return found.with_traceback(of_model(found.__traceback__))


def _known_by(text: str) -> str:
    """The letters and digits of a text, which are the same however it is escaped and broken into lines."""
    return "".join(letter for letter in visible(text) if letter.isalnum())
