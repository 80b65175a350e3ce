"""Models of the package sentence-transformers: encoders and cross-encoders."""


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


