"""Flips every key of the configuration of each architecture, and says what sentence-transformers makes of it.

usage: config_keys.py [--new]

Keys are those that the configuration class of transformers has, those that its network's code reads, those that the plugin has a rule for with
any network, and several of `TOGETHER` at once. Writes `config_keys.json`: each architecture's configuration, and for each value that was tried
the vectors of `TEXTS`, `same` where they are those without the change, or `fails` where the loader or the encoding does (weights that it fills
at random count as a failure). With `--new` what the file has stays as it is.
"""

import importlib
import inspect
import itertools
import os
import pathlib
import re
import shutil
import sys
import tempfile

from damaged import HERE, TEXTS, read, write

import torch
import transformers as hf
from sentence_transformers import SentenceTransformer
from transformers.activations import ACT2FN

# The checkpoint of each architecture, and another name for its type where one network has several.
CHECKPOINTS = {
    "albert": "albert", "bert": "bert", "bloom": "bloom", "camembert": "roberta", "distilbert": "distilbert", "gemma3_text": "gemma3",
    "gpt_neo": "gpt-neo", "gptj": "gpt-j", "gte": "gte", "llama": "llama", "mistral": "mistral", "modernbert": "modernbert", "mpnet": "mpnet",
    "mt5": "t5-gated", "nomic_bert": "nomic-bert", "qwen2": "qwen2", "qwen3": "qwen3", "roberta": "roberta", "t5": "t5", "umt5": "umt5",
    "xlm-roberta": "xlm-roberta",
}

# Who made the checkpoint, what it is called, and what only a training, a text to be continued or another head asks for.
PASSED_OVER = {
    "_name_or_path", "architectures", "auto_map", "chunk_size_feed_forward", "dtype", "id2label", "label2id", "model_type", "torch_dtype", "transformers_version",
    "_attn_implementation", "_commit_hash", "name_or_path", "attn_implementation", "experts_implementation", "_experts_implementation", "output_attentions", "output_hidden_states",
    "num_labels", "problem_type", "quantization_config",
}

# Read by code that all networks share.
SHARED = ["add_cross_attention", "is_causal", "is_decoder", "is_encoder_decoder", "partial_rotary_factor", "pruned_heads", "tie_word_embeddings", "use_bidirectional_attention"]

ROTARY = [
    {"rope_type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0}, {"rope_type": "default", "partial_rotary_factor": 0.5},
    {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 16},
    {"rope_type": "llama3", "factor": 2.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16},
    {"rope_type": "longrope", "factor": 2.0, "short_factor": [1.5, 2.0], "long_factor": [2.0, 3.0], "original_max_position_embeddings": 16},
]


# Keys of which one says how another is read.
TOGETHER = ("is_causal", "layer_types", "rope_parameters", "rope_scaling", "rope_theta", "sliding_window", "use_sliding_window")

# Networks whose code reads one of these.
READ_TOGETHER = ("gemma3_text", "gte", "llama", "mistral", "modernbert", "nomic_bert", "qwen2", "qwen3")

# Where the plugin says what it makes of a key.
RULES = HERE / "../../../plugins/torch-encoder/src/architectures/settings.rs"

# A value of another kind of network's key, by the plugin's rule for it.
BY_RULE = {"Whole": [3], "WholeOrNone": [3], "Number": [777.0], "Fraction": [0.5], "Flag": [True], "Off": [True], "On": [False], "Any": [True], "Is": [0.5]}


def settings(architecture):
    """The configuration of the checkpoint as transformers writes it, without what it leaves to be guessed."""
    found = read(HERE / "models" / CHECKPOINTS[architecture] / "config.json")
    if architecture == "nomic_bert":
        # The checkpoint has the keys of its makers' own code.
        numbers = dict(hidden_size="n_embd", num_hidden_layers="n_layer", num_attention_heads="n_head", intermediate_size="n_inner", max_position_embeddings="n_positions", vocab_size="vocab_size", type_vocab_size="type_vocab_size", layer_norm_eps="layer_norm_epsilon")
        found = hf.NomicBertConfig(**{key: found[own] for key, own in numbers.items()}).to_dict() | {"architectures": ["NomicBertModel"]}
    return found | {"model_type": architecture}


def keys(architecture, config):
    """The keys that may count."""
    kind = type(hf.AutoConfig.for_model(architecture))
    network = hf.AutoModel._model_mapping[kind]
    network = network[0] if isinstance(network, tuple) else network
    parents = [parent for parent in network.__mro__ if parent.__module__.startswith("transformers.models.")]
    sources = {inspect.getsource(importlib.import_module(parent.__module__)) for parent in parents}
    read_by_code = {name for source in sources for name in re.findall(r'config\.([a-z_0-9]+)|getattr\(\w*\.?config, "([a-z_0-9]+)"', source) for name in name if name}
    methods = {name for name, value in inspect.getmembers(hf.PreTrainedConfig) if callable(value)}
    all_keys = set(kind().to_dict()) | read_by_code | set(config) | set(SHARED)
    return sorted(key for key in all_keys - PASSED_OVER - methods if not key.startswith("_"))


def others(key, value, config):
    """Other values of a key."""
    if key in ("rope_parameters", "rope_scaling"):
        base = value if isinstance(value, dict) and value else {"rope_theta": 10000.0, "rope_type": "default"}
        if "full_attention" in base:
            plain = [base["full_attention"] | {"rope_theta": 777.0}] + [base["full_attention"] | more for more in ROTARY]
            return [base | {kind: one} for one in plain for kind in ("full_attention", "sliding_attention")]
        return [base | {"rope_theta": 777.0}] + [base | more for more in ROTARY]
    if key == "layer_types":
        count = config.get("num_hidden_layers", 2)
        return [[kind] * count for kind in ("full_attention", "sliding_attention", "chunked_attention")]
    if key == "attention_types":
        return [[[["local"], 2]], [[["global"], 2]]]
    if key == "attention_layers":
        return [["local", "local"], ["global", "global"]]
    if key == "pruned_heads":
        return [{"0": [1]}]
    if isinstance(value, str):
        functions = [name for name in ("relu", "gelu", "silu", "gelu_new", "quick_gelu", "tanh") if name in ACT2FN and name != value]
        if value in ACT2FN:
            return functions
        return {"feed_forward_proj": ["gated-silu", "gelu"]}.get(key, ["no such thing"])
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [found for found in dict.fromkeys([value + 1, value * 2, value // 2]) if found != value]
    if isinstance(value, float):
        return [value * 4 + 0.05, 0.5]
    if value is None:
        return [True, 2, 0.5]
    return []


def with_a_rule():
    """Every key that the plugin has a rule for, and values for networks that do not know it."""
    found = dict(re.findall(r'\("([a-z_0-9]+)", Rule::(\w+)', RULES.read_text()))
    more = {"rope_scaling": ROTARY[:1], "rope_parameters": ROTARY[:1], "hidden_act": ["relu"], "hidden_activation": ["relu"], "activation_function": ["relu"]}
    return {key: more.get(key, BY_RULE.get(rule, [])) for key, rule in sorted(found.items())}


def together(config):
    """Values of several keys at once."""
    kinds = ["sliding_attention", "full_attention"] * config.get("num_hidden_layers", config.get("n_layer", 2))
    count = len(kinds) // 2
    values = {
        "is_causal": [False], "layer_types": [kinds[:count], kinds[1:count + 1]], "rope_theta": [777.0], "sliding_window": [3], "use_sliding_window": [True],
        "rope_parameters": [{"type": "linear", "factor": 2.0}, {"rope_type": "default", "rope_theta": 300.0}, {"full_attention": {"rope_type": "default", "rope_theta": 300.0}}],
        "rope_scaling": [ROTARY[0], {"type": "linear", "factor": 4.0, "rope_theta": 50.0}],
    }
    windowed = {"use_sliding_window": True, "sliding_window": 3}
    for one in TOGETHER:
        for value in values[one]:
            yield windowed | {one: value}
            yield windowed | {"layer_types": kinds[:count], one: value}
    for one, other in itertools.combinations(TOGETHER, 2):
        for value, another in itertools.product(values[one], values[other]):
            yield {one: value, other: another}


def cases(names):
    for architecture in names:
        config = settings(architecture)
        whole = type(hf.AutoConfig.for_model(architecture))(**{key: value for key, value in config.items() if key != "model_type"}).to_dict()
        yield architecture, None, None, config
        for key in keys(architecture, config):
            for value in others(key, config.get(key, whole.get(key)), config):
                yield architecture, key, value, config | {key: value}
        known = keys(architecture, config)
        for key, values in with_a_rule().items():
            if key not in known:
                for value in values:
                    yield architecture, key, value, config | {key: value}
        for changes in together(config) if architecture in READ_TOGETHER else ():
            yield architecture, " + ".join(sorted(changes)), changes, config | changes


def once(folder):
    """The vectors, or none."""
    try:
        model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": "float32"})
        return model.encode(TEXTS, show_progress_bar=False).astype(float).tolist()
    except BaseException:  # Whatever stops it: rayon's panics are no exceptions.
        return None


def are_same(rows, others):
    """True of two lists of the same vectors."""
    if rows is None or others is None or [len(row) for row in rows] != [len(row) for row in others]:
        return False
    return all(abs(a - b) < 1e-6 for row, other in zip(rows, others) for a, b in zip(row, other))


def main():
    torch.set_num_threads(1)
    found, bases, whole = [], {}, None
    kept = read(HERE / "config_keys.json") if sys.argv[1:] == ["--new"] else {"cases": []}
    kept, tried = {repr(case[:3]): case for case in kept["cases"]}, set()
    with tempfile.TemporaryDirectory() as target:
        for number, (architecture, key, value, config) in enumerate(cases(CHECKPOINTS)):
            case = repr([architecture, key, value])
            if case in tried:
                continue
            tried.add(case)
            if case in kept:
                found.append(kept[case])
                continue
            folder = pathlib.Path(target) / f"{number}"
            shutil.copytree(HERE / "models" / CHECKPOINTS[architecture], folder)
            write(folder / "config.json", config)
            rows = once(folder)
            if key is None:
                whole = rows
                bases[architecture] = dict(checkpoint=CHECKPOINTS[architecture], config=config, rows=rounded(rows))
            elif are_same(rows, whole):
                found.append([architecture, key, value, "same"])
            elif are_same(rows, once(folder)):
                found.append([architecture, key, value, rounded(rows)])
            else:
                found.append([architecture, key, value, "fails"])
    write(HERE / "config_keys.json", dict(texts=TEXTS, bases=bases, cases=found))


def rounded(rows):
    return [[round(number, 7) for number in row] for row in rows]


if __name__ == "__main__":
    sys.stdout = open(os.devnull, "w")
    main()
