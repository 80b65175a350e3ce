"""Damages tiny model folders in many ways, and says what sentence-transformers makes of each.

usage: damaged.py FOLDER

Writes every damaged folder below FOLDER, and `FOLDER/verdicts.json`: for each the vectors of `TEXTS`, or null where the loader or the
encoding fails. Weights that the loader fills at random count as a failure: two loads give other vectors.
"""

import json
import logging
import os
import pathlib
import shutil
import struct
import sys
import warnings

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false")
warnings.filterwarnings("ignore")

import torch
from sentence_transformers import SentenceTransformer

logging.disable(logging.CRITICAL)
HERE = pathlib.Path(__file__).parent
TEXTS = ["Hujan turun di Merapi", "a ship", "dan kapal itu berlayar jauh sekali ke selatan"]
# Words that are tokens for filling up and for ends.
TEXTS_OF_TOKENS = ["kapal <pad> itu [PAD] jauh", "dan </s> kapal [SEP] itu <s> jauh"]
STRANGE = [None, True, False, 0, 1, -1, 2.5, "", "true", "384", "no such thing", [], ["cls"], {}, {"a": 1}]


def read(path):
    return json.loads(path.read_text())


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def put(file, *keys, value):
    """A change of one value of a JSON file."""

    def change(folder):
        content = read(folder / file) if (folder / file).exists() else {}
        place = content
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
        write(folder / file, content)

    return change


def drop(file, *keys):
    def change(folder):
        content = read(folder / file)
        place = content
        for key in keys[:-1]:
            place = place[key]
        del place[keys[-1]]
        write(folder / file, content)

    return change


def remove(file):
    return lambda folder: (folder / file).unlink()


def replace(file, value):
    return lambda folder: write(folder / file, value)


def tensors(change, file="model.safetensors"):
    """A change of the tensors of a file, each with its format, shape and bytes."""

    def apply(folder):
        data = (folder / file).read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        head, body = json.loads(data[8 : 8 + size]), data[8 + size :]
        head, body = change(head, body)
        packed = json.dumps(head).encode()
        (folder / file).write_bytes(struct.pack("<Q", len(packed)) + packed + body)

    return apply


def without(name):
    def change(head, body):
        return {key: value for key, value in head.items() if key != name}, body

    return change


def recast(name, dtype, size):
    """A tensor as numbers of another format: others' numbers in its place."""

    def change(head, body):
        begin, end = head[name]["data_offsets"]
        count = (end - begin) // 4 * size
        parts, at, found = [], 0, {}
        for key, value in sorted(head.items(), key=lambda item: item[1].get("data_offsets", [0])[0]):
            if key == "__metadata__":
                found[key] = value
                continue
            first, last = value["data_offsets"]
            piece = bytes(count) if key == name else body[first:last]
            found[key] = dict(value, data_offsets=[at, at + len(piece)], dtype=dtype if key == name else value["dtype"])
            parts.append(piece)
            at += len(piece)
        return found, b"".join(parts)

    return change


def renamed(old, new):
    def change(head, body):
        return {new if key == old else key: value for key, value in head.items()}, body

    return change


def added(name, dtype="F32", shape=(4,), size=16):
    def change(head, body):
        return {**head, name: dict(dtype=dtype, shape=list(shape), data_offsets=[len(body), len(body) + size])}, body + bytes(size)

    return change


def overlapping(head, body):
    first, second = sorted((key for key in head if "LayerNorm.bias" in key))[:2]
    head[second]["data_offsets"] = head[first]["data_offsets"]
    return head, body


def cases():
    word, layer = "embeddings.word_embeddings.weight", "encoder.layer.1.output.dense."
    pool, settings = "1_Pooling/config.json", "sentence_bert_config.json"
    whole = "config_sentence_transformers.json"
    yield "bert", "whole", lambda folder: None
    for file in ["config.json", pool, settings, whole, "modules.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"]:
        yield "bert", f"no {file}", remove(file)
        yield "bert", f"empty {file}", lambda folder, file=file: (folder / file).write_text("")
        yield "bert", f"{file} as a list", replace(file, [])
        yield "bert", f"{file} as an object", replace(file, {})
    for key in ["pooling_mode_cls_token", "pooling_mode_mean_tokens", "word_embedding_dimension", "include_prompt", "pooling_mode"]:
        for value in STRANGE:
            yield "bert", f"pooling {key} {value!r}", put(pool, key, value=value)
    for key in ["max_seq_length", "do_lower_case"]:
        for value in STRANGE:
            yield "bert", f"settings {key} {value!r}", put(settings, key, value=value)
    for key in ["hidden_act", "num_attention_heads", "layer_norm_eps", "is_decoder", "num_hidden_layers", "type_vocab_size"]:
        for value in [None, True, 0, 1, "", "2", "relu", []]:
            yield "bert", f"config {key} {value!r}", put("config.json", key, value=value)
    for key in ["hidden_size", "intermediate_size", "vocab_size", "max_position_embeddings", "model_type"]:
        for value in [None, 8, "16", "bert"]:
            yield "bert", f"config {key} {value!r}", put("config.json", key, value=value)
        yield "bert", f"config without {key}", drop("config.json", key)
    yield "bert", "an unknown key in pooling", put(pool, "temperature", value=2)
    yield "bert", "an unknown key in settings", put(settings, "temperature", value=2)
    yield "bert", "an unknown key in config", put("config.json", "temperature", value=2)
    yield "bert", "truncated rows", put(whole, "truncate_dim", value=8)
    for value in [None, "cosine", "dot", "no such thing", 3]:
        yield "bert", f"similarity {value!r}", put(whole, "similarity_fn_name", value=value)
    for value in [None, "query", "absent", 3]:
        yield "bert", f"default prompt {value!r}", put(whole, "default_prompt_name", value=value)
    for value in ["SentenceTransformer", "SparseEncoder", "CrossEncoder", ""]:
        yield "bert", f"made for {value!r}", put(whole, "model_type", value=value)
    for path in ["../outside", "/", "..", "1_Pooling/../1_Pooling", "C:\\x", "absent", "1_Pooling/", "./1_Pooling", "", None, 3]:
        yield "bert", f"pooling at {path!r}", put("modules.json", 1, "path", value=path)
    for kind in ["my_pooling.Pooling", "Pooling", "sentence_transformers.Pooling", "sentence_transformers.models.pooling.Pooling", "sentence_transformers.models.Nothing", "torch.nn.Identity", "sentence_transformers.base.modules.Pooling", "sentence_transformers.models.Pooling.Pooling", "sentence_transformers.sentence_transformer.modules.pooling.Pooling", "", None]:
        yield "bert", f"pooling of class {kind!r}", put("modules.json", 1, "type", value=kind)
    for key in ["path", "type", "name", "idx"]:
        yield "bert", f"a module without {key}", drop("modules.json", 1, key)
    yield "bert", "one name for two modules", put("modules.json", 1, "name", value="0")
    for order in [[1, 0], [0, 1, 1], [0], [1], [0, 2], [0, 2, 1], [0, 0, 1], [0, 1, 2, 2], []]:

        def shuffle(folder, order=order):
            modules = read(folder / "modules.json")
            write(folder / "modules.json", [dict(modules[at], name=str(number)) for number, at in enumerate(order)])

        yield "bert", f"modules {order}", shuffle
    yield "bert", "a tensor is absent", tensors(without(layer + "weight"))
    yield "bert", "overlapping tensors", tensors(overlapping)
    yield "bert", "bytes behind the tensors", lambda folder: (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes() + b"1234")
    yield "bert", "a bias under another name", tensors(renamed(layer + "bias", layer + "bios"))
    yield "bert", "words under another name", tensors(renamed(word, "0.auto_model." + word))
    for dtype, size in [("I8", 1), ("U8", 1), ("I32", 4), ("F16", 2), ("F64", 8), ("BOOL", 1), ("F8_E4M3", 1)]:
        yield "bert", f"a tensor of {dtype}", tensors(recast(layer + "weight", dtype, size))
    for name in ["embeddings.position_ids", "cls.predictions.bias", "pooler.more.weight", layer + "SCB", "encoder.layer.7.output.dense.bias"]:
        yield "bert", f"one more tensor {name}", tensors(added(name))
    for value in [{"quant_method": "bitsandbytes", "load_in_8bit": True}, {"quant_method": "gptq", "bits": 4}, {}]:
        yield "bert", f"quantised {value!r}", put("config.json", "quantization_config", value=value)
    yield "bert", "an adapter", replace("adapter_config.json", {"peft_type": "LORA", "base_model_name_or_path": "no/such-model"})
    dense = "2_Dense/config.json"
    yield "distilbert", "whole", lambda folder: None
    for key in ["in_features", "out_features", "bias", "activation_function", "module_input_name", "module_output_name", "use_residual"]:
        for value in [None, True, False, 12, "16", "torch.nn.modules.activation.ReLU", "mine.ReLU", "sentence_embedding", "token_embeddings"]:
            yield "distilbert", f"dense {key} {value!r}", put(dense, key, value=value)
        yield "distilbert", f"dense only without {key}", lambda folder, key=key: write(folder / dense, {name: value for name, value in read(folder / dense).items() if name != key})
    yield "distilbert", "no settings of the dense layer", remove(dense)
    yield "distilbert", "no weights of the dense layer", remove("2_Dense/model.safetensors")
    yield "distilbert", "one more tensor in the dense layer", tensors(added("more"), "2_Dense/model.safetensors")
    for key, value in [("use_sliding_window", True), ("layer_types", ["sliding_attention", "full_attention"]), ("layer_types", ["full_attention"]), ("rope_parameters", {"rope_type": "yarn", "factor": 2.0, "rope_theta": 1e4}), ("is_causal", False), ("num_key_value_heads", None), ("head_dim", 6), ("rms_norm_eps", 0.1), ("attention_bias", True), ("use_bidirectional_attention", True), ("partial_rotary_factor", 0.5)]:
        yield "qwen3", f"config {key} {value!r}", put("config.json", key, value=value)
    for key, value in [("attention_bias", True), ("mlp_bias", True), ("norm_bias", True), ("local_attention", 4), ("hidden_activation", "relu"), ("layer_types", ["full_attention"] * 4), ("sliding_window", 4)]:
        yield "modernbert", f"config {key} {value!r}", put("config.json", key, value=value)
    for key, value in [("sinusoidal_pos_embds", True), ("n_layers", 1), ("activation", "relu")]:
        yield "distilbert", f"config {key} {value!r}", put("config.json", key, value=value)
    for key, value in [("feed_forward_proj", "gated-gelu"), ("is_decoder", True), ("relative_attention_max_distance", 4), ("dense_act_fn", "gelu")]:
        yield "t5", f"config {key} {value!r}", put("config.json", key, value=value)
    for model in ["roberta", "xlm-roberta", "mpnet", "albert", "gpt-neo", "gte", "modernbert", "umt5", "gemma3", "bloom"]:
        yield model, "whole", lambda folder: None
        yield model, "filled up before texts", put("tokenizer_config.json", "padding_side", value="left")
        yield model, "filled up before texts, in its settings", put(settings, "processor_kwargs", value={"padding_side": "left"})
        yield model, "a maximum of 5 in the tokenizer alone", put("tokenizer_config.json", "model_max_length", value=5)
        yield model, "two maxima", put(settings, "max_seq_length", value=4)
        for value in [0, 2]:
            yield model, f"config pad_token_id {value}", put("config.json", "pad_token_id", value=value)
        yield model, "no normal vectors", drop("modules.json", -1)
        yield model, "lower-case", put(settings, "do_lower_case", value=True)
    for model in ["gpt-neo", "gpt-j", "t5", "distilbert", "bloom"]:
        for key in ["num_attention_heads", "num_hidden_layers", "hidden_size"]:
            yield model, f"config {key}", put("config.json", key, value=2)
    yield "gpt-neo", "layers named", put("config.json", "attention_layers", value=["local", "local"])
    yield "gpt-neo", "types of layers", put("config.json", "attention_types", value=[[["local"], 2]])
    yield "words", "whole", lambda folder: None
    yield "words", "first word", replace("2_Pooling/config.json", {"embedding_dimension": 12, "pooling_mode": "cls"})
    yield "words", "cut", put("wordembedding_config.json", "max_seq_length", value=2)
    yield "words", "no weights of words", remove("1_WordWeights/config.json")


def verdict(folder):
    """The vectors, or none."""
    try:
        rows = [SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": "float32"}).encode(TEXTS + TEXTS_OF_TOKENS, show_progress_bar=False) for _ in range(2)]
    except BaseException:  # Whatever stops it: rayon's panics are no exceptions.
        return None
    same = rows[0].shape == rows[1].shape and (abs(rows[0] - rows[1]) < 1e-6).all()
    return rows[0].astype(float).tolist() if same else None


def main(target):
    torch.set_num_threads(1)
    verdicts = []
    for number, (model, name, change) in enumerate(cases()):
        folder = target / f"{number}"
        shutil.copytree(HERE / "models" / model, folder)
        (folder / "expected.safetensors").unlink(missing_ok=True)
        change(folder)
        verdicts.append(dict(folder=folder.name, name=f"{model}: {name}", rows=verdict(folder)))
    write(target / "verdicts.json", dict(texts=TEXTS + TEXTS_OF_TOKENS, verdicts=verdicts))


if __name__ == "__main__":
    sys.stdout = open(os.devnull, "w")
    main(pathlib.Path(sys.argv[1]))
