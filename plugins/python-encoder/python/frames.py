"""The interpreter's side of the plugin `python` of mteb-host: makes one model and answers frames until the plugin is gone.

Needs the model's own packages, nothing of mteb-host; plain lists of numbers do without numpy. The protocol is in the README of the plugin.

The plugin joins the files of this folder to one program, which it keeps in memory: this one, which has the imports and speaks in frames, then
`model.py`, `sentence_transformers_models.py`, `reference.py`, `own.py` and `worker.py`.
"""

import argparse
import array
import hashlib
import importlib.util
import inspect
import json
import os
import stat
import struct
import sys
import threading
import time

PROTOCOL = 1

# Tells the package `mteb_host` that a file is read for its model alone; `run` ends the reading.
IMPORTING = "MTEB_HOST_IMPORTING"

# Codes of the plugin interface.
FAILED, UNSUPPORTED, INVALID_INPUT, OUT_OF_MEMORY, NOT_FOUND = 1, 2, 3, 4, 5


class Refused(Exception):
    """A failure with a code of the plugin interface."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def end_with_parent():
    """Ends this process when the plugin ends, be it killed: what the model does meanwhile never looks at the end of its input."""
    parent = os.getppid()
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    except (ImportError, OSError, AttributeError):
        pass

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def take_streams():
    """Takes the streams to the plugin away from the model: what it prints goes to standard error."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return questions, answers


def read_frame(stream):
    """One frame; None at the end."""
    lengths = stream.read(16)
    if len(lengths) < 16:
        return None
    header, payload = struct.unpack("<QQ", lengths)
    return json.loads(stream.read(header)), stream.read(payload)


def write_frame(stream, header):
    """Writes a frame without a payload."""
    header = json.dumps(header, allow_nan=False).encode()
    stream.write(struct.pack("<QQ", len(header), 0) + header)
    stream.flush()


def unpack(payload, count, begin=0):
    """`count` texts from `begin` on, and where they end."""
    lengths = struct.unpack_from(f"<{count}I", payload, begin)
    place, texts = begin + 4 * count, []
    for length in lengths:
        texts.append(payload[place : place + length].decode())
        place += length
    return texts, place


class Memory:
    """The file in memory in which numbers go back."""

    def __init__(self, descriptor):
        self.descriptor = descriptor

    def write(self, numbers):
        """Writes the values of `numbers` from the start on."""
        view = memoryview(numbers.values).cast("B")
        place = 0
        while place < len(view):
            place += os.pwrite(self.descriptor, view[place : place + (1 << 30)], place)


class Numbers:
    """What a model gave: `values`, a buffer of 32-bit numbers, and their `shape`."""

    def __init__(self, values, count, what):
        try:
            self.values, self.shape = self.plain(values) if isinstance(values, list) else self.of_array(values)
        except (ImportError, TypeError, ValueError) as error:
            found = type(values).__name__
            raise Refused(FAILED, f"expected {what} as an array of numbers, found {found}: {error}") from None
        if self.shape[:1] != (count,):
            raise Refused(FAILED, f"expected {what} for {count} text{'' if count == 1 else 's'}, found an array of shape {self.shape}")

    @classmethod
    def plain(cls, values):
        """A list of numbers, of lists of numbers, or of arrays."""
        if values and not isinstance(values[0], (list, tuple, int, float)):
            import numpy

            if hasattr(values[0], "detach"):
                values = [value.detach().float().cpu().numpy() for value in values]
            return cls.of_array(numpy.asarray(values))
        if not values or isinstance(values[0], (int, float)):
            return array.array("f", values), (len(values),)
        widths = {len(row) for row in values}
        if len(widths) != 1:
            raise ValueError(f"rows of {len(widths)} lengths")
        return array.array("f", [value for row in values for value in row]), (len(values), widths.pop())

    @staticmethod
    def of_array(values):
        """An array of numpy, a tensor, or what numpy takes for one."""
        import numpy

        if hasattr(values, "detach"):
            values = values.detach().float().cpu().numpy()
        found = numpy.ascontiguousarray(values, dtype="<f4")
        return found, found.shape


