"""Classes in the place of those of sentence-transformers: they fetch nothing, and note what the reference's loaders tell them.

Whatever encodes or scores ends the call by raising `Asked`, or gives made rows where a caller wants to see what becomes of them.
"""

import inspect
import sys
import types

import numpy as np

ENCODERS = ("SentenceTransformer", "SparseEncoder", "MultiVectorEncoder")
CLASSES = (*ENCODERS, "CrossEncoder")
# Options of a class by names that the library still takes.
OLDER = {"tokenizer_kwargs": "processor_kwargs", "automodel_args": "model_kwargs", "tokenizer_args": "processor_kwargs", "config_args": "config_kwargs"}
# Options of a call that change no number.
BATCHES = ("batch_size", "show_progress_bar", "convert_to_numpy", "convert_to_tensor", "is_query")


class Asked(BaseException):
    """What a model was asked. No `Exception`, so that no wrapper takes it for a failure of its own."""

    def __init__(self, method: str, given: list, options: dict) -> None:
        super().__init__(method)
        self.method, self.given, self.options = method, given, options


class Part:
    """Whatever lies in a model: its tokenizer, its first module. What is set there is noted by its path."""

    def __init__(self, path: str, noted: dict) -> None:
        self.__dict__.update(_path=path, _noted=noted)

    def __getattr__(self, name: str) -> "Part":
        if name.startswith("__"):
            raise AttributeError(name)
        return Part(f"{self._path}.{name}".lstrip("."), self._noted)

    def __setattr__(self, name: str, value) -> None:
        self._noted[f"{self._path}.{name}".lstrip(".")] = value

    def __call__(self, *_, **__) -> "Part":
        return self

    def __getitem__(self, _) -> "Part":
        return self

    def __iter__(self):
        return iter(())

    def __setitem__(self, place, value) -> None:
        self._noted[f"{self._path}[{place!r}]"] = value


class StandIn:
    """A model that notes how it was made (`made`), and what was set (`noted`)."""

    kind, true_class, made = "", None, []

    def __init__(self, *given, **options) -> None:
        options = {OLDER.get(name, name): value for name, value in options.items()}
        # What the true class would refuse is refused.
        bound = inspect.signature(self.true_class.__init__).bind(self, *given, **options)
        bound.arguments.pop("self")
        # Without any in its files, a model of the library has these.
        prompts = {"query": "", "document": ""} if self.kind in ENCODERS else {}
        self.__dict__.update(options=dict(bound.arguments), noted={}, rows=None, prompts=prompts)
        StandIn.made.append(self)

    def __setattr__(self, name: str, value) -> None:
        self.noted[name] = value
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Part:
        if name.startswith("__"):
            raise AttributeError(name)
        return Part(name, self.noted)

    def __iter__(self):
        return iter(())

    def __getitem__(self, place) -> Part:
        return Part(f"[{place}]", self.noted)

    def set_pooling_include_prompt(self, include_prompt: bool) -> None:
        self.noted["include_prompt"] = include_prompt

    def similarity(self, *_):
        raise Asked("similarity", [], {})

    def asked(self, method: str, given, options: dict):
        options = {name: value for name, value in options.items() if name not in BATCHES}
        if self.rows is None:
            raise Asked(method, list(given), options)
        return np.array(self.rows, dtype="float32")

    def predict(self, pairs, *_, **options):
        return self.asked("predict", pairs, options)


def encoding(method: str):
    def encode(self, texts=None, *_, **options):
        given = texts if texts is not None else options.pop("sentences", options.pop("inputs", []))
        return self.asked(method, given, options)

    return encode


def put_pylate_in_place(stand_in: type) -> None:
    """Lets PyLate's class, which reads the same files, be the stand-in for that of the library."""
    package, models = types.ModuleType("pylate"), types.ModuleType("pylate.models")
    models.ColBERT, package.models = stand_in, models
    sys.modules.update({"pylate": package, "pylate.models": models})


def put_in_place() -> None:
    """Puts a stand-in for each class of the library, wherever the library names it."""
    import sentence_transformers
    from sentence_transformers import cross_encoder, multi_vector_encoder, sentence_transformer, sparse_encoder

    modules = (sentence_transformers, cross_encoder, multi_vector_encoder, sentence_transformer, sparse_encoder)
    for name in CLASSES:
        own = {"kind": name, "true_class": getattr(sentence_transformers, name)}
        if name in ENCODERS:
            own |= {method: encoding(method) for method in ("encode", "encode_query", "encode_document")}
        stand_in = type(name, (StandIn,), own)
        for module in modules:
            if hasattr(module, name):
                setattr(module, name, stand_in)
        if name == "MultiVectorEncoder":
            put_pylate_in_place(stand_in)
