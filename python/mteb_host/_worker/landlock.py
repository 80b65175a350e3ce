"""Landlock of Linux: from some moment on this thread, and what it starts, opens only files in the places that are named. Python's own hooks do not
see what libraries open by themselves."""

import os
import struct

# Numbers of the system's calls, the same on every processor.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446

# To read a file, and to move one from folder to folder, which is refused wherever nobody allows it.
READ_FILE, REFER = 1 << 2, 1 << 13

# The version of the interface since which moves can be allowed, the flag that asks for it, and a rule about what lies below a place.
MOVES_SINCE, VERSION, PATH_BENEATH = 2, 1, 1

# Rights that nobody gets back (`prctl`).
NO_NEW_PRIVILEGES = 38


def read_only(places, written):
    """Leaves to this thread the files that are or lie in `places`; those in `written` it may move, too. False where the system has no such
    thing."""
    try:
        import ctypes

        library = ctypes.CDLL(None, use_errno=True)
        version = library.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    except (ImportError, OSError, AttributeError):
        return False
    if version < 1:
        return False
    moves = REFER if version >= MOVES_SINCE else 0
    asked = struct.pack("=Q", READ_FILE | moves)
    ruleset = library.syscall(CREATE_RULESET, asked, ctypes.c_size_t(len(asked)), 0)
    if ruleset < 0:
        return False
    try:
        for place in {*places, *written}:
            add(library, ctypes, ruleset, place, READ_FILE | (moves if place in written else 0))
        library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return library.syscall(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def add(library, ctypes, ruleset, place, rights):
    """Allows a place; one that is not there needs no rule."""
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(place):
            rights &= READ_FILE
        library.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
