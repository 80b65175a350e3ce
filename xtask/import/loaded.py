"""What the reference's loader makes of a model: what it sets, and what it puts before each text.

The loader runs, with stand-ins for the classes of sentence-transformers. A loader that computes by other means is not followed.
"""

import functools

import numpy as np
import reference  # noqa: F401 -- before the libraries, which it keeps offline
import stand_ins
from mteb.abstasks import abstask
from mteb.models.model_meta import ModelMeta
from mteb.types import PromptType
from stand_ins import Asked, StandIn

TEXT = "⟦text⟧"
RANKED = ("Retrieval", "Reranking", "InstructionRetrieval", "InstructionReranking", "Any2AnyRetrieval")
# Settings of libraries that change no embedding.
SAME = {"use_cache", "attn_implementation", "trust_remote_code", "device_map", "low_cpu_mem_usage"}
TOKENIZER = ("add_bos_token", "add_eos_token", "pad_token", "padding_side")
DTYPES = {"float32": "f32", "bfloat16": "bf16", "float16": "f16"}
# What templates raise that do not know a task's prompts: the reference scores no such task with them.
FAILS = (KeyError, TypeError)
# What the library is asked for texts that a card can say.
ASKED = ("prompt", "prompt_name", "normalize_embeddings")
ROWS = [[3.0, -1.0, 2.0, 0.5], [1.0, 4.0, -2.0, 0.25]]


class Beyond(Exception):
    """What a loader does that no key of a card states."""


class Around(Exception):
    """Words that are put otherwise than before a text."""


class Texts:
    """Texts of a role, as a wrapper reads them: what a data loader and its dataset are there."""

    def __init__(self, texts: list, role: str | None) -> None:
        self.rows = {"text": texts}
        if role == "query":
            self.rows["query"] = texts
        elif role == "document":
            self.rows |= {"body": texts, "title": [""] * len(texts)}
        self.dataset, self.features = self, self.rows.keys()

    def __iter__(self):
        yield self.rows

    def __len__(self) -> int:
        return 1


class Loaded:
    """A model of the reference on a stand-in; `failure` where the loader cannot be followed."""

    texts: dict = {}

    def __init__(self, meta: ModelMeta) -> None:
        self.meta, self.model, self.inner, self.failure = meta, None, None, None
        StandIn.made.clear()
        try:
            if meta.loader is None or "API" in meta.framework:
                raise Beyond("an interface on the network" if meta.loader else "no loader")
            self.model = meta.load_model(device="cpu")
            if len(StandIn.made) != 1 or not hasattr(self.model, "model") or self.model.model is not StandIn.made[0]:
                raise Beyond("code of its own")
            self.inner = StandIn.made[0]
        except (Exception, Asked) as error:  # noqa: BLE001 -- whatever a loader raises, it cannot be followed
            words = str(error).split("\n")[0].split(" (/")[0][:90]
            self.failure = words if isinstance(error, Beyond) else f"{type(error).__name__}: {words}"

    def ask(self, task, role: str | None) -> Asked:
        """What the stand-in is asked for a text of a role in a task."""
        kind = PromptType(role) if role else None
        options = {"task_metadata": task.metadata, "hf_split": "test", "hf_subset": "default"}
        try:
            if self.inner.kind == "CrossEncoder":
                self.model.predict(self.text("query"), self.text("document"), prompt_type=kind, batch_size=8, **options)
            else:
                # Models of several vectors a text search by themselves; what they search with is this.
                encode = getattr(self.model, "encode", None) or self.model._encode
                encode(self.text(role), prompt_type=kind, batch_size=8, **options)
        except Asked as asked:
            return asked
        raise Beyond("no question to the library")

    def text(self, role: str | None, count: int = 1) -> Texts:
        if (role, count) not in self.texts:
            self.texts[role, count] = Texts([TEXT] * count, role)
        return self.texts[role, count]

    def prompt(self, task, role: str | None) -> str:
        """What stands before a text of a role in a task."""
        asked = self.ask(task, role)
        extra = [name for name in asked.options if name not in ASKED]
        if extra:
            raise Beyond(f"`{extra[0]} = {asked.options[extra[0]]!r}` for some of its texts")
        given = asked.given[0]
        if self.inner.kind == "CrossEncoder":
            given = given[1 if role == "document" else 0]
        before, found, behind = given.partition(TEXT)
        if not found or behind:
            raise Around("words behind the text" if found else "another text")
        named = self.inner.prompts or getattr(self.model, "model_prompts", None) or {}
        prompt = asked.options.get("prompt")
        if prompt is None and asked.options.get("prompt_name"):
            prompt = named[asked.options["prompt_name"]]
        return (prompt or "") + before

    def similarity(self) -> str:
        """How two embeddings are compared: `files` where the library does as the model's files say."""
        try:
            self.model.similarity(np.ones((1, 4), "float32"), np.ones((1, 4), "float32"))
        except Asked:
            return "files"
        except Exception:  # noqa: BLE001 -- models that score pairs compare nothing
            return ""
        return "card"

    def loading(self, tasks: list) -> dict:
        """The keys of a card's `loading`."""
        found = dict(self.settings())
        if self.inner.kind == "CrossEncoder" and self.prompt(tasks[0], "document"):
            raise Beyond("words before the documents of pairs")
        if self.inner.kind != "SentenceTransformer":
            return found
        steps = self.steps(tasks)
        return found | ({"row_steps": steps} if steps else {})

    def settings(self):
        options, noted = self.inner.options, self.inner.noted
        repository = options.get("model_name_or_path")
        if repository != self.meta.name:
            raise Beyond(f"the files of {repository or 'modules that it makes'}")
        for name, value in (options.get("processor_kwargs") or {}).items():
            if name in TOKENIZER:
                yield name, value
            elif name == "model_max_length":
                yield "max_tokens", value
            elif name not in SAME:
                raise Beyond(f"a tokenizer with `{name} = {value!r}`")
        for name, value in (options.get("model_kwargs") or {}).items():
            if name in ("dtype", "torch_dtype"):
                value = str(getattr(value, "value", value)).removeprefix("torch.")
                if value in DTYPES:
                    yield "dtype", DTYPES[value]
            elif name not in SAME:
                raise Beyond(f"a model with `{name} = {value!r}`")
        for name, value in (options.get("config_kwargs") or {}).items():
            if name not in SAME:
                raise Beyond(f"a configuration with `{name} = {value!r}`")
        if options.get("truncate_dim"):
            yield "dimension", options["truncate_dim"]
        if options.get("max_length"):
            yield "max_tokens", options["max_length"]
        if options.get("activation_fn") is not None:
            if options["activation_fn"](2.5) != 2.5:
                raise Beyond("a function of its own over scores")
            yield "raw_scores", True
        for name, value in noted.items():
            name = name.removeprefix("tokenizer.")
            if name == "max_seq_length":
                yield "max_tokens", value
            elif name in (*TOKENIZER, "include_prompt"):
                yield name, value
            elif name not in ("prompts", "mteb_model_meta"):
                raise Beyond(f"`{name}` set to {value!r}")

    def steps(self, tasks: list) -> list:
        """What becomes of the rows that the library gives, which must be the same for all tasks and roles."""
        found = set()
        for task in tasks:
            for role in task.roles:
                try:
                    asked = self.ask(task, role)
                except FAILS:
                    continue
                normalized = ["normalize"] if asked.options.get("normalize_embeddings") else []
                found.add((*normalized, *self.made_of_rows(task, role)))
        if len(found) != 1:
            raise Beyond("another computation for each task")
        return list(found.pop())

    def made_of_rows(self, task, role: str | None) -> list:
        from torch import from_numpy
        from torch.nn import functional

        self.inner.__dict__["rows"] = ROWS
        try:
            kind = PromptType(role) if role else None
            rows = self.model.encode(
                self.text(role, len(ROWS)), task_metadata=task.metadata, hf_split="test", hf_subset="default", prompt_type=kind, batch_size=8
            )
        finally:
            self.inner.__dict__["rows"] = None
        rows, given = np.asarray(rows), from_numpy(np.array(ROWS, dtype="float32"))
        layer_norm = functional.layer_norm(given, (4,))
        known = {
            (): given,
            ("normalize",): functional.normalize(given, dim=1),
            ("layer-norm",): layer_norm,
            ("layer-norm", "normalize"): functional.normalize(layer_norm, dim=1),
        }
        for steps, expected in known.items():
            if rows.shape == expected.shape and np.allclose(rows, expected.numpy(), atol=1e-6):
                return list(steps)
        raise Beyond("a computation of its own over rows")


class Task:
    """What of a task a loader looks at, and the roles of its texts."""

    def __init__(self, task) -> None:
        self.metadata, self.roles = task.metadata, [None]
        # Cards know one type for both.
        self.kind = "Retrieval" if task.metadata.type == "Any2AnyRetrieval" else task.metadata.type
        if task.metadata.type in RANKED:
            self.roles = ["query", "document"]
        else:
            stated = [getattr(task, f"input{side}_prompt_type", None) for side in (1, 2)]
            self.roles = sorted({kind.value for kind in stated if kind is not None}) or [None]


def prepare() -> None:
    """Lets loaders be called without the packages that they ask for by name."""
    stand_ins.put_in_place()
    # Looks a task up among all of them, for each text of most models.
    abstask.get_abstask_prompt = functools.cache(abstask.get_abstask_prompt)
    ModelMeta._check_requirements = lambda _: None
