"""The interpreter's side of the plugin `python` of mteb-host: makes one model and answers frames until the plugin is gone.

Needs the model's own packages, nothing of mteb-host; plain lists of numbers do without numpy. The protocol is in the README of the plugin.
"""

import argparse
import gc
import os
import threading
import time

from .frames import (
    FAILED,
    INVALID_INPUT,
    OUT_OF_MEMORY,
    PROTOCOL,
    UNSUPPORTED,
    Memory,
    Refused,
    cut,
    keep_from_forks,
    read_frame,
    take_streams,
    unpack,
    write_frame,
)
from .evaluator import load_evaluator
from .library import load_sentence_transformers
from .own import load_own
from .reference import load_reference
from .rows import Numbers


def load_mteb(ask):
    """A model that the reference knows, or code of the user's own in its form."""
    return load_own(ask) if ".py:" in ask["model"] else load_reference(ask)


LOADERS = {"st": load_sentence_transformers, "mteb": load_mteb, "python": load_own, "evaluator": load_evaluator}

# Folders whose code is not the model's.
OWN = {os.path.dirname(__file__)}


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


class RareCollections:
    """Lets the interpreter look for garbage less often: the libraries of a model make hundreds of thousands of objects that stay, and
    going through them again and again takes a sixth of their import.

    It is a class, because a generator sets attributes of what passes through it, which an exception of a model may refuse.
    """

    RARE = (50_000, 20, 20)

    def __enter__(self):
        self.before = gc.get_threshold()
        gc.set_threshold(*self.RARE)

    def __exit__(self, *_):
        # The model's own code may have chosen otherwise.
        if gc.get_threshold() == self.RARE:
            gc.set_threshold(*self.before)


class Worker:
    """Answers questions."""

    def __init__(self, memory, loaders=LOADERS):
        self.memory, self.model, self.loaders = Memory(memory), None, loaders

    def answer(self, ask, payload):
        if ask["ask"] == "new":
            if ask["protocol"] != PROTOCOL:
                raise Refused(INVALID_INPUT, f"expected protocol {PROTOCOL}, found: {ask['protocol']}")
            with RareCollections():
                self.model = self.loaders[ask["kind"]](ask)
            return {"info": {key: value for key, value in self.model.info.items() if value is not None}}
        if ask["ask"] == "encode":
            texts, _ = unpack(payload, ask["texts"])
            # Counted before: the model may change the list.
            count = len(texts)
            rows = Numbers(self.model.encode(texts, ask["role"], ask["instruction"]), count, "rows")
            self.model.check()
            written = self.memory.write(rows.values)
            return {"rows": rows.shape[0], "dimension": rows.shape[1] if len(rows.shape) == 2 else 0, "checksum": written}
        if ask["ask"] == "encode_rows":
            texts, _ = unpack(payload, ask["texts"])
            rows = self.model.encode_rows(texts, ask["role"], ask["instruction"])
            self.model.check()
            return {"lengths": rows.lengths, "checksum": self.memory.write(*rows.parts())}
        if ask["ask"] == "predict":
            queries, place = unpack(payload, ask["pairs"])
            documents, _ = unpack(payload, ask["pairs"], place)
            count = len(queries)
            scores = Numbers(self.model.predict(queries, documents, ask["instruction"]), count, "scores")
            if scores.shape[1:] not in ((), (1,)):
                raise Refused(FAILED, f"expected one score per pair, found an array of shape {scores.shape}")
            self.model.check()
            return {"scores": count, "checksum": self.memory.write(scores.values)}
        if ask["ask"] == "score":
            return {"answer": self.model.score(ask["question"])}
        if ask["ask"] == "notes":
            return {"notes": self.model.take_notes()}
        raise Refused(UNSUPPORTED, f"expected a request of protocol {PROTOCOL}, found: {ask['ask']}")


def is_out_of_memory(error):
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    # What torch says on GPUs and on processors; the last is of cuBLAS and cuDNN, which allocate by themselves.
    words = ("out of memory", "can't allocate memory", "_STATUS_ALLOC_FAILED")
    return any(word in text_of(error) for word in words)


def text_of(error):
    """What an error says; its own code may raise, too."""
    try:
        return str(error)
    except Exception as other:  # noqa: BLE001 - whatever that is
        return f"its text is not available ({type(other).__name__})"


def one_line(error):
    """What an error says, with the place in the model's code."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if os.path.dirname(code.co_filename) not in OWN:
            place = f" ({file_of(code)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    said = " ".join(cut(text_of(error)).split())
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"


def file_of(code):
    """The name of the file of code; what was typed into a notebook has one that nobody has seen."""
    folder, name = os.path.split(code.co_filename)
    is_cell = os.path.basename(folder).startswith("ipykernel_") or name.startswith("<ipython-input")
    return "cell" if is_cell else name


def failure(error, is_made):
    """What the host is told of an error that the model raised, or that was raised before it `is_made`."""
    # Code that is none, or lacks a package, lacks it in the next run, too; whatever else it raises may pass.
    is_lasting = not is_made and isinstance(error, (ImportError, SyntaxError))
    code = OUT_OF_MEMORY if is_out_of_memory(error) else INVALID_INPUT if is_lasting else FAILED
    said = "ran out of memory: " if code == OUT_OF_MEMORY else ""
    return {"error": {"code": code, "message": said + one_line(error)}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", type=int, required=True)
    memory = parser.parse_args().memory
    worker = Worker(memory)
    end_with_parent()
    questions, answers = take_streams()
    keep_from_forks(questions.fileno(), answers.fileno(), memory)
    while (frame := read_frame(questions)) is not None:
        number, ask, payload = frame
        try:
            answer = worker.answer(ask, payload)
        except Refused as error:
            answer = {"error": {"code": error.code, "message": cut(str(error))}}
        except SystemExit:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the model's code raises costs its unit, not the worker
            answer = failure(error, worker.model is not None)
        worker.memory.check_process()
        write_frame(answers, number, answer)
