"""Changes what stands beside `tokenizer.json` in tiny checkpoints of `models/`, or that file itself, and writes what sentence-transformers
gives then to `tokenizer_settings.json`: for each case its changes, and the rows of `TEXTS`, `same` or `fails`.

usage: tokenizer_settings.py
"""

import json
import logging
import os
import pathlib
import shutil
import tempfile
import warnings

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false")
warnings.filterwarnings("ignore")

import torch
from sentence_transformers import SentenceTransformer

logging.disable(logging.CRITICAL)
HERE = pathlib.Path(__file__).parent
TEXTS = [
    "Hujan turun di Merapi",
    "KAPAL É itu 漢字 berlayar",
    "dan </s> kapal [SEP] itu <s> jauh <mask> 12345",
    "a  ship\tof 2026 kapal",
]
CONFIG, TOKENIZER = "tokenizer_config.json", "tokenizer.json"
BASES = ["bert", "distilbert", "mpnet", "roberta", "gpt-neo", "qwen2", "qwen3", "gemma3", "mistral", "modernbert", "xlm-roberta", "t5"]
CLASSES = [
    "BertTokenizerFast", "MPNetTokenizer", "RobertaTokenizer", "GPT2Tokenizer", "Qwen2Tokenizer", "GemmaTokenizer",
    "XLMRobertaTokenizer", "T5Tokenizer", "AlbertTokenizer", "PreTrainedTokenizerFast", "NoSuchTokenizer",
]  # fmt: skip
WORDS = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]}
SPACES = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}


def put(file, *keys, value):
    return {"file": file, "keys": list(keys), "value": value}


def drop(file, *keys):
    return {"file": file, "keys": list(keys)}


def apply(folder, change):
    path = folder / change["file"]
    if not change["keys"] and "value" not in change:
        return path.unlink()
    content = json.loads(path.read_text()) if path.exists() else {}
    place = content
    for key in change["keys"][:-1]:
        place = place[key]
    if "value" in change:
        place[change["keys"][-1]] = change["value"]
    else:
        place.pop(change["keys"][-1], None)
    path.write_text(json.dumps(content))


def cases():
    """The checkpoint, the changes, and whether the case must run here."""
    for base in BASES:
        yield base, [], True
        yield base, [drop(CONFIG, "tokenizer_class")], False
        for name in CLASSES:
            yield base, [put(CONFIG, "tokenizer_class", value=name)], False
    for base in ["bert", "distilbert"]:
        for key, values in {"do_lower_case": [True, False], "strip_accents": [True, False, None], "tokenize_chinese_chars": [True, False]}.items():
            for value in values:
                yield base, [put(CONFIG, key, value=value)], value in (True, None)
                yield base, [put(CONFIG, key, value=value), put(CONFIG, "tokenizer_class", value="TokenizersBackend")], True
        for key, value in {"lowercase": False, "strip_accents": False, "handle_chinese_chars": False, "clean_text": False}.items():
            own = [put(TOKENIZER, "normalizer", key, value=value)]
            yield base, own, False
            yield base, [*own, put(CONFIG, "tokenizer_class", value="PreTrainedTokenizerFast")], True
            key = {"lowercase": "do_lower_case", "handle_chinese_chars": "tokenize_chinese_chars"}.get(key, key)
            yield base, [*own, put(CONFIG, key, value=value)], key != "clean_text"
        yield base, [put(TOKENIZER, "normalizer", value=None)], False
        yield base, [put(TOKENIZER, "normalizer", value={"type": "Lowercase"})], False
        yield base, [put(TOKENIZER, "normalizer", value=None), put(CONFIG, "do_lower_case", value=False)], False
        yield base, [put(TOKENIZER, "pre_tokenizer", value={"type": "Whitespace"})], False
        yield base, [put(TOKENIZER, "post_processor", value=None)], False
        yield base, [put(TOKENIZER, "post_processor", value={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})], True
        yield base, [put(TOKENIZER, "post_processor", value={"type": "BertProcessing", "sep": ["[CLS]", 2], "cls": ["[SEP]", 3]})], False
        yield base, [put(TOKENIZER, "model", "max_input_chars_per_word", value=4)], False
        yield base, [put(CONFIG, "cls_token", value="[MASK]")], False
        yield base, [drop(CONFIG)], base != "mpnet"
        yield base, [drop(CONFIG), put(TOKENIZER, "normalizer", "lowercase", value=False)], False
    for base, name in [("roberta", "RobertaTokenizer"), ("gpt-neo", "GPT2Tokenizer"), ("qwen3", "Qwen2Tokenizer"), ("qwen2", "Qwen2Tokenizer")]:
        named = put(CONFIG, "tokenizer_class", value=name)
        place = ["pre_tokenizer"] if name[0] != "Q" else ["pre_tokenizer", "pretokenizers", 1]
        own = put(TOKENIZER, *place, "add_prefix_space", value=True)
        for value in (True, False):
            yield base, [named, put(CONFIG, "add_prefix_space", value=value)], not value
        yield base, [named, own], False
        yield base, [named, own, put(CONFIG, "add_prefix_space", value=True)], True
        yield base, [own, put(CONFIG, "tokenizer_class", value="PreTrainedTokenizerFast")], base != "qwen2"
        yield base, [named, put(TOKENIZER, "normalizer", value={"type": "Lowercase"})], False
        yield base, [named, put(TOKENIZER, "post_processor", value=None)], False
    digits = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    for base in ["qwen2", "qwen3"]:
        yield base, [put(TOKENIZER, "pre_tokenizer", "pretokenizers", 0, "pattern", "Regex", value=digits)], False
    for base, name in [("xlm-roberta", "XLMRobertaTokenizer"), ("xlm-roberta", "CamembertTokenizer"), ("t5", "T5Tokenizer")] :
        named = [put(CONFIG, "tokenizer_class", value=name), put(TOKENIZER, "normalizer", value=None)]
        yield base, named, base != "t5"
        yield base, [*named, put(TOKENIZER, "pre_tokenizer", value=WORDS)], base != "t5"
        yield base, [*named, put(TOKENIZER, "normalizer", value=SPACES)], base != "t5"
        yield base, [*named, put(TOKENIZER, "normalizer", value={"type": "Sequence", "normalizers": [{"type": "Strip", "strip_left": False, "strip_right": True}, SPACES]})], False
        yield base, [*named, put(TOKENIZER, "normalizer", value={"type": "Lowercase"})], False
        yield base, [*named, put(CONFIG, "add_prefix_space", value=False)], False
        yield base, [*named, put(TOKENIZER, "post_processor", value=None)], False
    word = {"content": "kapal", "special": False, "lstrip": False, "rstrip": False, "normalized": False, "single_word": False}
    for base in ["bert", "roberta"]:
        vocabulary = json.loads((HERE / "models" / base / TOKENIZER).read_text())["model"]["vocab"]
        for key in ["additional_special_tokens", "extra_special_tokens"]:
            yield base, [put(CONFIG, key, value=["kapal"])], False
            yield base, [put(CONFIG, key, value=[dict(word, special=True)])], False
            yield base, [put(CONFIG, key, value=[])], True
        yield base, [put(CONFIG, "extra_special_tokens", value={"own_token": "kapal"})], False
        yield base, [put(CONFIG, "own_token", value="kapal")], False
        yield base, [put(CONFIG, "mask_token", value="kapal")], False
        yield base, [put(CONFIG, "added_tokens_decoder", value={"20": word})], False
        yield base, [put(CONFIG, "added_tokens_decoder", value={str(len(vocabulary)): word})], False
        yield base, [put("added_tokens.json", "kapal", value=len(vocabulary))], False
        yield base, [put("special_tokens_map.json", "mask_token", value="kapal")], False
        yield base, [put("special_tokens_map.json", "additional_special_tokens", value=["kapal"])], False
        yield base, [put(CONFIG, "model_input_names", value=["input_ids"])], False
        yield base, [put(CONFIG, "model_input_names", value=["input_ids", "attention_mask"])], True
        yield base, [put(CONFIG, "split_special_tokens", value=True)], False
        yield base, [put(CONFIG, "split_special_tokens", value=False)], True
    for base in [*BASES, "llama", "gpt-j", "bloom", "umt5", "albert"]:
        if base not in BASES:
            yield base, [], True
        for change in [drop(CONFIG, "pad_token"), put(CONFIG, "pad_token", value=None)]:
            yield base, [change], True
            token = json.loads((HERE / "models" / base / TOKENIZER).read_text())["added_tokens"][0]["content"]
            fills = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": token}
            yield base, [change, put(TOKENIZER, "padding", value=fills)], True
    named = put(CONFIG, "added_tokens_decoder", value={str(number): dict(word, content=token, special=True) for number, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])})
    yield "bert", [named], True


def rows(folder):
    model = SentenceTransformer(str(folder), device="cpu")
    with torch.no_grad():
        found = model.encode(TEXTS, show_progress_bar=False, convert_to_tensor=True).float()
    if not torch.isfinite(found).all():
        raise ValueError("no numbers")
    return found


def main():
    bases, found = {}, []
    for base, changes, must in cases():
        if changes and bases[base] is None:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "model"
            shutil.copytree(HERE / "models" / base, folder)
            for change in changes:
                apply(folder, change)
            try:
                values = rows(folder)
            except Exception:
                values = None
        if not changes:
            bases[base] = values
        if values is None:
            verdict = "fails"
        elif (values - bases[base]).abs().max() <= 1e-6 * bases[base].abs().max():
            verdict = "same"
        else:
            verdict = [[float(f"{value:.7g}") for value in row] for row in values.tolist()]
        found.append({"checkpoint": base, "changes": changes, "must_run": must, "verdict": verdict})
    bases = {base: [[float(f"{value:.7g}") for value in row] for row in values.tolist()] for base, values in bases.items() if values is not None}
    found = [case for case in found if case["checkpoint"] in bases]
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in found)
    text = json.dumps({"texts": TEXTS, "bases": bases}, ensure_ascii=False)[:-1]
    (HERE / "tokenizer_settings.json").write_text(f'{text}, "cases": [\n{lines}\n]}}\n')


main()
