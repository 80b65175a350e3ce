"""Frames of the protocol between the plugin and the interpreter, which the README of the plugin has, and what goes wrong in them."""

import json
import os
import re
import struct
import zlib

PROTOCOL = 2

# Number of the question, length of the header, length of the payload, checksum.
HEAD = struct.Struct("<QQQQ")

# Characters of the longest message: code may raise with all of its data.
LONGEST_MESSAGE = 4000

# Codes of the plugin interface.
FAILED, UNSUPPORTED, INVALID_INPUT, OUT_OF_MEMORY, NOT_FOUND = 1, 2, 3, 4, 5


class Refused(Exception):
    """A failure with a code of the plugin interface."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def take_streams():
    """Takes the streams to the plugin away from the model: what it prints goes to standard error."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    return questions, answers


def keep_from_forks(*descriptors):
    """Leaves these descriptors to this process alone: what it becomes by `fork` has nothing behind them, nor have programs that it
    starts."""
    nothing = os.open(os.devnull, os.O_RDWR)

    def take_away():
        for descriptor in descriptors:
            os.dup2(nothing, descriptor, inheritable=False)

    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=take_away)


def checksum(*parts):
    """CRC-32 of the parts, one behind the other."""
    found = 0
    for part in parts:
        found = zlib.crc32(part, found)
    return found


def read_frame(stream):
    """Number, header and payload of one frame; None at the end."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    number, header, payload, expected = HEAD.unpack(head)
    header, payload = stream.read(header), stream.read(payload)
    if checksum(head[:24], header, payload) != expected:
        raise SystemExit("the plugin sent a frame with a wrong checksum")
    return number, json.loads(header), payload


def cut(message):
    """A message of which the middle is left out if it is too long."""
    left_out = len(message) - LONGEST_MESSAGE
    if left_out <= 0:
        return message
    half = LONGEST_MESSAGE // 2
    return f"{message[:half]} […{left_out} characters are left out…] {message[-half:]}"


def written(header):
    """A header as JSON in UTF-8. Half of a pair of surrogates, which no UTF-8 has, is written as the six letters of its escape."""
    text = json.dumps(header, allow_nan=False, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", text).encode()


def write_frame(stream, number, header):
    """Writes a frame without a payload, the answer to the question `number`."""
    header = written(header)
    head = struct.pack("<QQQ", number, len(header), 0)
    stream.write(head + struct.pack("<Q", checksum(head, header)) + header)
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
        self.descriptor, self.process = descriptor, os.getpid()

    def write(self, *parts):
        """Writes the buffers `parts` one behind the other, from the start on, and gives their checksum."""
        self.check_process()
        begin, found = 0, 0
        for part in parts:
            view = memoryview(part).cast("B") if len(part) else b""
            place = 0
            found = zlib.crc32(view, found)
            while place < len(view):
                place += os.pwrite(self.descriptor, view[place : place + (1 << 30)], begin + place)
            begin += place
        return found

    def check_process(self):
        """Ends a process that the model has made by `fork`, at once: what it would do at its end is the business of the first one."""
        if os.getpid() != self.process:
            os._exit(0)
