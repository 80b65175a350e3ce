"""The interpreter's side of the plugin `python` of mteb-host: makes one model and answers frames until the plugin is gone.

Needs the model's own packages, nothing of mteb-host; plain lists of numbers do without numpy. The protocol is in the README of the plugin.
"""

import argparse
import array
import hashlib
import importlib.util
import inspect
import json
import os
import re
import stat
import struct
import sys
import threading
import time

PROTOCOL = 1

# Tells the package `mteb_host` that a file is read for its model alone; `run` ends the reading.
IMPORTING = "MTEB_HOST_IMPORTING"

# Characters of the longest message: code may raise with all of its data.
LONGEST_MESSAGE = 4000

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


def written(header):
    """A header as JSON in UTF-8. Half of a pair of surrogates, which no UTF-8 has, is written as the six letters of its escape."""
    text = json.dumps(header, allow_nan=False, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", text).encode()


def write_frame(stream, header):
    """Writes a frame without a payload."""
    header = written(header)
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


class Model:
    """A model: `info`, and `encode` or `predict`."""

    info = None

    def encode(self, texts, role, instruction):
        raise Refused(UNSUPPORTED, "this model scores pairs and encodes no texts")

    def predict(self, queries, documents, instruction):
        raise Refused(UNSUPPORTED, "this model encodes texts and scores no pairs")


def dtype_of(name):
    """The torch type of `auto`, `f32`, `bf16` or `f16`."""
    import torch

    return {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}.get(name)


def device_of(name):
    return None if name == "auto" else name


def dtype_name(module):
    """The number format of a module's weights, as the interface calls it."""
    names = {"torch.float32": "f32", "torch.bfloat16": "bf16", "torch.float16": "f16"}
    parameter = next(module.parameters(), None)
    return "f32" if parameter is None else names.get(str(parameter.dtype), str(parameter.dtype))


def hash_of_weights(folder):
    """SHA-256 of the weights below a folder. Files of the hub's cache are called by their own hash, and are not read for it."""
    digest, found = hashlib.sha256(), False
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".safetensors", ".bin", ".pt")):
                found = True
                path = os.path.join(place, name)
                target = os.path.basename(os.path.realpath(path))
                if len(target) == 64 and not set(target) - set("0123456789abcdef"):
                    digest.update(target.encode())
                    continue
                with open(path, "rb") as file:
                    for piece in iter(lambda: file.read(1 << 20), b""):
                        digest.update(piece)
    return digest.hexdigest() if found else ""


class SentenceTransformers(Model):
    """An encoder of sentence-transformers."""

    def __init__(self, model, name, revision, weights, prompts=None):
        self.model = model
        # Left alone, the library would put it before texts that the host has given no prompt.
        default, model.default_prompt_name = model.default_prompt_name, None
        named = {key: text for key, text in (prompts or model.prompts or {}).items() if text}
        limit = getattr(model, "max_seq_length", None)
        dimension = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        self.info = {
            "identity": {"name": name, "revision": revision or "", "weights": weights, "dtype": dtype_name(model)},
            "dimension": dimension(),
            "max_tokens": int(limit) if limit and limit < 1 << 31 else None,
            "device": str(model.device),
            "similarity": getattr(model.similarity_fn_name, "value", model.similarity_fn_name),
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "prompts": {"named": named, "default": default if default in named else None},
        }

    def encode(self, texts, role, instruction):
        more = {"prompt": instruction} if instruction else {}
        if role != "none" and "task" in inspect.signature(self.model.encode).parameters:
            more["task"] = role
        return self.model.encode(texts, show_progress_bar=False, convert_to_numpy=True, **more)


class CrossEncoders(Model):
    """A cross-encoder of sentence-transformers."""

    def __init__(self, model, name, revision, weights):
        self.model = model
        module = getattr(model, "model", model)
        self.info = {
            "identity": {"name": name, "revision": revision or "", "weights": weights, "dtype": dtype_name(module)},
            "max_tokens": getattr(model, "max_length", None),
            "device": str(module.device),
            "cross_encoder": True,
            "parameters": sum(parameter.numel() for parameter in module.parameters()),
        }

    def predict(self, queries, documents, instruction):
        pairs = [(instruction + query, document) for query, document in zip(queries, documents)]
        return self.model.predict(pairs, show_progress_bar=False)


def is_cross_encoder(folder):
    """True if the files are those of a cross-encoder: no modules, or those of one, and a head of one class or a language model's."""
    try:
        with open(os.path.join(folder, "config_sentence_transformers.json"), encoding="utf-8") as file:
            kind = json.load(file).get("model_type")
    except OSError:
        kind = None
    if kind is not None:
        return kind == "CrossEncoder"
    if os.path.exists(os.path.join(folder, "modules.json")):
        return False
    try:
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            architectures = json.load(file).get("architectures") or []
    except OSError:
        return False
    return any(name.endswith("ForSequenceClassification") for name in architectures)


def refuse_other_kinds(folder):
    """Sparse and multi-vector models do not fit rows of one width."""
    try:
        with open(os.path.join(folder, "config_sentence_transformers.json"), encoding="utf-8") as file:
            kind = json.load(file).get("model_type")
    except OSError:
        return
    if kind in ("SparseEncoder", "MultiVectorEncoder"):
        raise Refused(UNSUPPORTED, f"expected a model with one row a text, or a cross-encoder, found: {kind}")


def load_sentence_transformers(ask):
    """The model of a folder, or of the hub's cache."""
    try:
        import sentence_transformers
    except ImportError as error:
        raise Refused(
            NOT_FOUND,
            f"expected the package sentence-transformers in {sys.executable}, found none ({error}); "
            "`--python` names another interpreter",
        ) from None
    place, name = ask["folder"] or ask["model"], ask["model"]
    refuse_other_kinds(place)
    more = {"device": device_of(ask["device"]), "trust_remote_code": ask["trust_remote_code"]}
    dtype = dtype_of(ask["dtype"])
    if dtype is not None:
        more["model_kwargs"] = {"torch_dtype": dtype}
    weights = hash_of_weights(place)
    if is_cross_encoder(place):
        model = sentence_transformers.CrossEncoder(place, max_length=ask["max_tokens"], **more)
        return CrossEncoders(model, name, ask["revision"], weights)
    model = sentence_transformers.SentenceTransformer(place, **more)
    if ask["max_tokens"] is not None:
        model.max_seq_length = min(ask["max_tokens"], model.max_seq_length or ask["max_tokens"])
    return SentenceTransformers(model, name, ask["revision"], weights)


class Reference(Model):
    """A model of the reference that makes its prompts itself: the host names the task where others get a prompt."""

    def __init__(self, model, meta):
        self.model, self.tasks = model, {}
        similarity = getattr(meta.similarity_fn_name, "value", meta.similarity_fn_name)
        self.info = {
            "identity": identity_of(meta),
            "max_tokens": int(meta.max_tokens) if meta.max_tokens and meta.max_tokens < 1 << 31 else None,
            "similarity": similarity if similarity in ("cosine", "dot", "euclidean", "manhattan") else None,
            "parameters": meta.n_parameters,
            "prompts": {"task_names": True},
        }
        device = getattr(model, "device", None)
        if device is not None:
            self.info["device"] = str(device)
        if meta.is_cross_encoder:
            self.info["cross_encoder"] = True
        else:
            first = self.encode(["dimension"], "none", "STSBenchmark")
            self.info["dimension"] = Numbers(first, 1, "rows").shape[1]

    def metadata(self, task):
        import mteb

        if task not in self.tasks:
            try:
                self.tasks[task] = mteb.get_task(task).metadata
            except KeyError:
                # A task of the user's own gets what a task of its kind without prompts gets.
                raise Refused(
                    INVALID_INPUT,
                    f"expected a task that the reference knows, as this model makes its prompts from it, found: {task}",
                ) from None
        return self.tasks[task]

    def loader(self, texts, role):
        from datasets import Dataset
        from torch.utils.data import DataLoader

        rows = {"text": texts}
        if role == "query":
            rows["query"] = texts
        elif role == "document":
            rows.update(body=texts, title=[""] * len(texts))
        return DataLoader(Dataset.from_dict(rows), batch_size=32)

    def encode(self, texts, role, instruction):
        from mteb.types import PromptType

        kind = {"query": PromptType.query, "document": PromptType.document}.get(role)
        return self.model.encode(
            self.loader(texts, role),
            task_metadata=self.metadata(instruction),
            hf_split="test",
            hf_subset="default",
            prompt_type=kind,
            batch_size=32,
            show_progress_bar=False,
        )

    def predict(self, queries, documents, instruction):
        from mteb.types import PromptType

        return self.model.predict(
            self.loader(queries, "query"),
            self.loader(documents, "document"),
            task_metadata=self.metadata(instruction),
            hf_split="test",
            hf_subset="default",
            prompt_type=PromptType.query,
            batch_size=32,
            show_progress_bar=False,
        )


def identity_of(meta):
    return {"name": meta.name, "revision": meta.revision or "", "weights": "", "dtype": "f32"}


def load_reference(ask):
    """The model that the reference's own loader makes."""
    try:
        import mteb
    except ImportError as error:
        raise Refused(
            NOT_FOUND,
            f"expected the package mteb in {sys.executable}, found none ({error}); `--python` names another interpreter",
        ) from None
    more = {"trust_remote_code": True} if ask["trust_remote_code"] else {}
    model = mteb.get_model(ask["model"], revision=ask["revision"], device=device_of(ask["device"]), **more)
    meta = model.mteb_model_meta
    from mteb.models import SentenceTransformerEncoderWrapper

    # The plain wrapper picks among named prompts by the rule that the host has too, so that texts are shared among tasks.
    if type(model) is SentenceTransformerEncoderWrapper and not meta.use_instructions:
        inner = SentenceTransformers(model.model, meta.name, meta.revision, "", model.model_prompts)
        inner.info["identity"]["weights"] = weights_of_cache(meta)
        return inner
    if not hasattr(model, "encode") and not hasattr(model, "predict"):
        raise Refused(UNSUPPORTED, f"expected a model that encodes texts or scores pairs, found: {type(model).__name__}")
    return Reference(model, meta)


def weights_of_cache(meta):
    """The hash of the weights in the hub's cache."""
    from huggingface_hub import snapshot_download

    try:
        return hash_of_weights(snapshot_download(meta.name, revision=meta.revision, local_files_only=True))
    except Exception:  # noqa: BLE001 - without files there is no hash, and embeddings are not kept on the disk
        return ""


class Own(Model):
    """Code of the user's own: anything with `encode`, or with `predict`."""

    def __init__(self, model, name, weights):
        self.model = model
        self.scores_pairs = not hasattr(model, "encode") and hasattr(model, "predict")
        self.info = {
            "identity": {
                "name": getattr(model, "name", name),
                "revision": "" if (revision := getattr(model, "revision", None)) is None else str(revision),
                "weights": weights,
                "dtype": "f32",
            },
            "max_tokens": getattr(model, "max_tokens", None),
            "similarity": getattr(model, "similarity", None),
            "cross_encoder": self.scores_pairs,
            "prompts": {"named": dict(getattr(model, "prompts", None) or {})},
        }
        if not self.scores_pairs:
            takes = inspect.signature(model.encode).parameters
            self.takes = [name for name in ("role", "prompt") if name in takes]
            first = Numbers(self.encode(["dimension"], "none", ""), 1, "rows")
            if len(first.shape) != 2:
                raise Refused(INVALID_INPUT, f"expected `encode` to give one row a text, found an array of shape {first.shape}")
            self.info["dimension"] = first.shape[1]

    def encode(self, texts, role, instruction):
        given = {"role": role, "prompt": instruction}
        if instruction and "prompt" not in self.takes:
            texts = [instruction + text for text in texts]
        return self.model.encode(texts, **{name: given[name] for name in self.takes})

    def predict(self, queries, documents, instruction):
        return self.model.predict([(instruction + query, document) for query, document in zip(queries, documents)])


def load_own(ask):
    """The object `name` of a file; a class or a function is called without arguments first."""
    path, _, name = ask["model"].rpartition(":")
    if not path.endswith(".py") or not name:
        raise Refused(INVALID_INPUT, f"expected `python:FILE.py:name`, found: python:{ask['model']}")
    path = os.path.abspath(path)
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Refused(INVALID_INPUT, f"{path}: expected a file with Python code, found what is no regular file")
        with open(path, "rb") as file:
            weights = hashlib.sha256(file.read()).hexdigest()
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        # A program that calls `mteb_host.run` with a class of its own is read up to that call.
        os.environ[IMPORTING] = "1"
        spec.loader.exec_module(module)
    except SystemExit:
        if not hasattr(module, name):
            raise
    except FileNotFoundError as error:
        raise Refused(NOT_FOUND, f"{path}: cannot read the file: {error.strerror}") from None
    os.environ.pop(IMPORTING, None)
    if not hasattr(module, name):
        raise Refused(NOT_FOUND, f"{path}: expected `{name}` in this file, found no such name")
    found = getattr(module, name)
    if inspect.isclass(found) or not (hasattr(found, "encode") or hasattr(found, "predict")):
        found = found()
    if not hasattr(found, "encode") and not hasattr(found, "predict"):
        raise Refused(INVALID_INPUT, f"{path}: expected `{name}` to have `encode` or `predict`, found: {type(found).__name__}")
    # Nobody knows what else the code depends on, unless it says a revision.
    model = Own(found, f"python:{os.path.basename(path)}:{name}", weights)
    if not model.info["identity"]["revision"]:
        model.info["meta"] = {"unpinned": True}
    return model


LOADERS = {"st": load_sentence_transformers, "mteb": load_reference, "python": load_own}


class Worker:
    """Answers questions."""

    def __init__(self, memory):
        self.memory, self.model = Memory(memory), None

    def answer(self, ask, payload):
        if ask["ask"] == "new":
            if ask["protocol"] != PROTOCOL:
                raise Refused(INVALID_INPUT, f"expected protocol {PROTOCOL}, found: {ask['protocol']}")
            self.model = LOADERS[ask["kind"]](ask)
            return {"info": {key: value for key, value in self.model.info.items() if value is not None}}
        if ask["ask"] == "encode":
            texts, _ = unpack(payload, ask["texts"])
            rows = Numbers(self.model.encode(texts, ask["role"], ask["instruction"]), len(texts), "rows")
            self.memory.write(rows)
            return {"rows": rows.shape[0], "dimension": rows.shape[1] if len(rows.shape) == 2 else 0}
        if ask["ask"] == "predict":
            queries, place = unpack(payload, ask["pairs"])
            documents, _ = unpack(payload, ask["pairs"], place)
            scores = Numbers(self.model.predict(queries, documents, ask["instruction"]), len(queries), "scores")
            if scores.shape[1:] not in ((), (1,)):
                raise Refused(FAILED, f"expected one score a pair, found an array of shape {scores.shape}")
            self.memory.write(scores)
            return {"scores": len(queries)}
        raise Refused(UNSUPPORTED, f"expected a question of protocol {PROTOCOL}, found: {ask['ask']}")


def is_out_of_memory(error):
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or "out of memory" in str(error)


def cut(message):
    """A message of which the middle is left out if it is too long."""
    left_out = len(message) - LONGEST_MESSAGE
    if left_out <= 0:
        return message
    half = LONGEST_MESSAGE // 2
    return f"{message[:half]} […{left_out} characters are left out…] {message[-half:]}"


def one_line(error):
    """What an error says, with the place in the model's code."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename != __file__:
            place = f" ({os.path.basename(code.co_filename)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    said = " ".join(cut(str(error)).split())
    return f"{type(error).__name__}: {said}{place}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", type=int, required=True)
    worker = Worker(parser.parse_args().memory)
    end_with_parent()
    questions, answers = take_streams()
    while (frame := read_frame(questions)) is not None:
        try:
            answer = worker.answer(*frame)
        except Refused as error:
            answer = {"error": {"code": error.code, "message": cut(str(error))}}
        except Exception as error:  # noqa: BLE001 - whatever the model's code raises costs its unit, not the worker
            # Code that is none, or lacks a package, lacks it in the next run, too; whatever else it raises may pass.
            is_lasting = worker.model is None and isinstance(error, (ImportError, SyntaxError))
            code = OUT_OF_MEMORY if is_out_of_memory(error) else INVALID_INPUT if is_lasting else FAILED
            answer = {"error": {"code": code, "message": one_line(error)}}
        write_frame(answers, answer)


if __name__ == "__main__":
    main()
