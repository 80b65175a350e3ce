"""Makes tokenizers of the families that embedding models have, by transformers' own classes from the vocabularies of `models/`, lays them
out as the releases of transformers since 4.20 and the folders of well-known models do, and writes what sentence-transformers gives with
each to `tokenizer_families.json`: the files beside the weights (of `tokenizer.json` what differs from one of the list), and the rows of
`TEXTS`, or `fails`.

usage: tokenizer_families.py
"""

import base64
import json
import logging
import os
import pathlib
import shutil
import tempfile
import warnings

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1")
warnings.filterwarnings("ignore")

import torch
import transformers
from sentence_transformers import SentenceTransformer

torch.set_num_threads(1)
logging.disable(logging.CRITICAL)
HERE = pathlib.Path(__file__).parent
TEXTS = ["Hujan turun di Merapi", "KAPAL É itu 漢字 berlayar", "dan </s> kapal [SEP] itu <s> jauh <mask> 12345", "a  ship\tof ２０２６ kapal"]
CONFIG, TOKENIZER, MAP = "tokenizer_config.json", "tokenizer.json", "special_tokens_map.json"
HUGE = 1000000000000000019884624838656


def base(name):
    return json.loads((HERE / "models" / name / TOKENIZER).read_text())


def bytes_of(name):
    model = base(name)["model"]
    merges = [tuple(merge) if isinstance(merge, list) else tuple(merge.split(" ")) for merge in model["merges"]]
    return {"vocab": model["vocab"], "merges": merges}


def words_of(name):
    return {"vocab": base(name)["model"]["vocab"]}


def pieces_of(name):
    return {"vocab": [tuple(piece) for piece in base(name)["model"]["vocab"]]}


def fields(message):
    """The fields of a message of protocol buffers: number and value."""
    place = 0

    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while place < len(message):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
            continue
        size = {1: 8, 5: 4}.get(key & 7) or number()
        yield key >> 3, message[place : place + size]
        place += size


def charsmap():
    """The compiled rules of SentencePiece that a checkpoint has: field 2 of the `normalizer_spec`, field 3."""
    model = (HERE / "models" / "t5-pieces" / "spiece.model").read_bytes()
    spec = dict(fields(model))[3]
    return base64.b64encode(dict(fields(spec))[2]).decode()


def families():
    """The name, the checkpoint whose network gets it, and the tokenizer."""
    cased = dict(do_lower_case=False, strip_accents=None, tokenize_chinese_chars=True)
    yield "BertTokenizerFast", "bert", transformers.BertTokenizerFast(**words_of("bert"))
    yield "BertTokenizerFast, cased", "bert", transformers.BertTokenizerFast(**words_of("bert"), **cased)
    yield "DistilBertTokenizerFast", "distilbert", transformers.DistilBertTokenizerFast(**words_of("distilbert"))
    yield "MPNetTokenizerFast", "mpnet", transformers.MPNetTokenizerFast(**words_of("mpnet"))
    yield "RobertaTokenizerFast", "roberta", transformers.RobertaTokenizerFast(**bytes_of("roberta"))
    yield "RobertaTokenizerFast, with a space", "roberta", transformers.RobertaTokenizerFast(**bytes_of("roberta"), add_prefix_space=True)
    yield "XLMRobertaTokenizerFast", "xlm-roberta", transformers.XLMRobertaTokenizerFast(**pieces_of("xlm-roberta"))
    yield "CamembertTokenizerFast", "xlm-roberta", transformers.CamembertTokenizerFast(**pieces_of("xlm-roberta"))
    yield "T5TokenizerFast", "t5", transformers.T5TokenizerFast(**pieces_of("t5"), extra_ids=0)
    yield "Qwen2TokenizerFast", "qwen2", transformers.Qwen2TokenizerFast(**bytes_of("qwen2"))
    yield "Qwen2TokenizerFast", "qwen3", transformers.Qwen2TokenizerFast(**bytes_of("qwen3"))
    names = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>", mask_token="<unk>")
    yield "GemmaTokenizerFast", "gemma3", transformers.GemmaTokenizerFast(**bytes_of("gemma3"), **names)
    for network in ["mistral", "llama"]:
        names = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>")
        yield "LlamaTokenizerFast", network, transformers.LlamaTokenizerFast(**bytes_of(network), **names)
    plain = transformers.PreTrainedTokenizerFast(tokenizer_file=str(HERE / "models" / "modernbert" / TOKENIZER), model_input_names=["input_ids", "attention_mask"],
        cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]", model_max_length=8192)  # fmt: skip
    yield "PreTrainedTokenizerFast", "modernbert", plain


def special(content, **more):
    return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, **more}


def layouts(name, made):
    """What the folder holds: as transformers 5 writes it, as releases before it did, and with what folders of models have besides."""
    tokenizer, config = made[TOKENIZER], made[CONFIG]
    keys = {key: value for key, value in config.items() if key.endswith("_token") and isinstance(value, str)}
    old = {key: value for key, value in config.items() if key not in ("backend", "is_local", "local_files_only")}
    if not name.startswith("PreTrained"):
        old["tokenizer_class"] = name.split(",")[0].removesuffix("Fast")
    added = {str(token["id"]): {key: token[key] for key in ("content", "lstrip", "normalized", "rstrip", "single_word", "special")} for token in tokenizer["added_tokens"]}
    objects = {key: special(value, lstrip=key == "mask_token") for key, value in keys.items()}
    typed = {key: {"__type": "AddedToken", **special(value)} for key, value in keys.items()}
    yield "as saved", {TOKENIZER: tokenizer, CONFIG: config}
    yield "of 4.40", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, "added_tokens_decoder": added, "clean_up_tokenization_spaces": True, "model_max_length": HUGE, "tokenizer_class": f"{old['tokenizer_class']}"}}
    fast = old["tokenizer_class"] if old["tokenizer_class"].endswith(("Fast", "Backend")) else old["tokenizer_class"] + "Fast"
    yield "of 4.50", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, "added_tokens_decoder": added, "extra_special_tokens": {}, "clean_up_tokenization_spaces": False, "tokenizer_class": fast}}
    yield "of 4.20", {TOKENIZER: tokenizer, MAP: keys, CONFIG: {**old, "special_tokens_map_file": None, "name_or_path": "maker/model", "model_max_length": HUGE, "tokenizer_file": None}}
    yield "typed tokens", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, **typed, "sp_model_kwargs": {}}}
    lists = {"additional_special_tokens": [*dict.fromkeys(keys.values())][:2]}
    yield "a list of tokens", {TOKENIZER: tokenizer, MAP: {**keys, **lists}, CONFIG: {**old, **lists, "added_tokens_decoder": added, "extra_special_tokens": []}}
    named = {"extra_special_tokens": {"image_token": next(iter(keys.values()))}, "image_token": next(iter(keys.values()))}
    yield "tokens by name", {TOKENIZER: tokenizer, CONFIG: {**old, **named}}
    sides = {"padding_side": "right", "truncation_side": "right", "truncation_strategy": "longest_first", "stride": 0, "max_length": 128, "pad_to_multiple_of": None, "pad_token_type_id": 0}
    yield "with sides", {TOKENIZER: tokenizer, MAP: keys, CONFIG: {**old, **sides, "clean_up_tokenization_spaces": True}}
    block = {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0}
    fills = {"strategy": {"Fixed": 128}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": tokenizer["added_tokens"][0]["content"]}
    yield "cut and filled up by the file", {TOKENIZER: {**tokenizer, "truncation": block, "padding": fills}, CONFIG: old}
    ends = {"add_bos_token": True, "add_eos_token": False, "legacy": True, "use_default_system_prompt": False, "spaces_between_special_tokens": False}
    if name.startswith(("Llama", "Gemma")):
        yield "with ends", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, **ends, "added_tokens_decoder": added, "additional_special_tokens": [], "sp_model_kwargs": None if name[0] == "G" else {}}}
    if name.startswith("Qwen2"):
        own = {"add_bos_token": False, "add_prefix_space": False, "bos_token": None, "errors": "replace", "split_special_tokens": False, "unk_token": None, "chat_template": "{{ messages }}"}
        yield "of Qwen3-Embedding", {TOKENIZER: tokenizer, CONFIG: {**old, **own, "added_tokens_decoder": added, "additional_special_tokens": [token["content"] for token in added.values()]}}
    if name.startswith(("Bert", "DistilBert", "MPNet")):
        own = {"do_basic_tokenize": True, "never_split": None, "strip_accents": None, "tokenize_chinese_chars": True, "do_lower_case": not name.endswith("cased")}
        yield "of BGE", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, **own, "added_tokens_decoder": added}}
    if name.startswith("Roberta"):
        yield "of all-distilroberta", {TOKENIZER: tokenizer, MAP: objects, CONFIG: {**old, **typed, "errors": "replace", "trim_offsets": True}}
    if name.startswith(("XLM", "Camembert", "T5")):
        rules = {"type": "Precompiled", "precompiled_charsmap": charsmap()}
        spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
        marks = [{"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}, {"type": "Metaspace", "replacement": "▁", "str_rep": "▁", "add_prefix_space": True}]
        for title, normalizer, mark in [("of XLM-R", rules, marks[0]), ("of e5", {"type": "Sequence", "normalizers": [rules, spaces]}, marks[1])]:
            older = {**tokenizer, "normalizer": normalizer, "decoder": mark, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, mark]}}
            yield title, {TOKENIZER: older, MAP: objects, CONFIG: {**old, "sp_model_kwargs": {}, "model_max_length": 512}}
            yield f"{title}, one mark", {TOKENIZER: {**older, "pre_tokenizer": mark}, MAP: objects, CONFIG: {**old, "added_tokens_decoder": added}}


def rows(folder):
    model = SentenceTransformer(str(folder), device="cpu")
    with torch.no_grad():
        found = model.encode(TEXTS, show_progress_bar=False, convert_to_tensor=True).float()
    if not torch.isfinite(found).all():
        raise ValueError("no numbers")
    return [[float(f"{value:.7g}") for value in row] for row in found.tolist()]


def saved(tokenizer):
    with tempfile.TemporaryDirectory() as place:
        tokenizer.save_pretrained(place)
        return {path.name: json.loads(path.read_text()) for path in pathlib.Path(place).glob("*.json")}


def main():
    tokenizers, cases = [], []
    for name, network, tokenizer in families():
        made = saved(tokenizer)
        for title, files in layouts(name, made):
            with tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place) / "model"
                shutil.copytree(HERE / "models" / network, folder)
                for old in [CONFIG, TOKENIZER, MAP]:
                    (folder / old).unlink(missing_ok=True)
                for file, content in files.items():
                    (folder / file).write_text(json.dumps(content))
                try:
                    verdict = rows(folder)
                except Exception as error:
                    print(f"{name} on {network}, {title}: {type(error).__name__}: {str(error)[:120]}")
                    verdict = "fails"
            # Most layouts share their `tokenizer.json`, but for some keys.
            whole = files.pop(TOKENIZER)
            if made[TOKENIZER] not in tokenizers:
                tokenizers.append(made[TOKENIZER])
            other = {key: value for key, value in whole.items() if value != made[TOKENIZER][key]}
            place = tokenizers.index(made[TOKENIZER])
            cases.append({"family": name, "layout": title, "checkpoint": network, "tokenizer": place, "other": other, "files": files, "verdict": verdict})
    shown = [",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) for entries in (tokenizers, cases)]
    text = f'{{"texts": {json.dumps(TEXTS, ensure_ascii=False)}, "tokenizers": [\n{shown[0]}\n], "cases": [\n{shown[1]}\n]}}\n'
    (HERE / "tokenizer_families.json").write_text(text)
    print(len(cases), "cases")


main()
