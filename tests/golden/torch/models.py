"""Makes tiny random checkpoints and the vectors that sentence-transformers gives with them.

usage: models.py [NAME ...]

Writes `models/NAME/` for every model, or for those that are named: the checkpoint as it would lie on the hub, and
`expected.safetensors` with `rows` for the texts of `texts.json`, `prompted` for the same texts with the prompt of
`PROMPT`, or `scores` for pairs of neighbouring texts.
"""

import json
import pathlib
import shutil
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file
from sentence_transformers import CrossEncoder, SentenceTransformer
from transformers import PreTrainedTokenizerFast

import tokenizers_for_tests as tokenizers
from texts import varied

HERE = pathlib.Path(__file__).parent
MODELS = HERE / "models"
TEXTS = varied(64, longest=50, seed=7)
PROMPT = "Cari bagian teks: "
LENGTH = 40


def shake(model):
    """Weights large enough that a mistake anywhere shows."""
    generator = torch.Generator().manual_seed(11)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() > 1:
                parameter.copy_(noise * (1.0 if "embed" in name.lower() or "wte" in name else 0.3))
            elif "norm" in name.lower() and name.endswith("weight") or "ln_" in name and name.endswith("weight"):
                parameter.copy_(1 + 0.2 * noise)
            else:
                parameter.copy_(0.2 * noise)
    return model.float().eval()


def save(name, model, tokenizer, **config):
    """Writes a plain transformers checkpoint and gives its folder."""
    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shake(model).save_pretrained(folder)
    fast, names = tokenizer
    kind = names.get("tokenizer_class")
    names = {key: value for key, value in names.items() if key != "tokenizer_class"}
    PreTrainedTokenizerFast(tokenizer_object=fast, **names).save_pretrained(folder)
    if kind:
        edit(folder / "tokenizer_config.json", tokenizer_class=kind)
    for file in ("generation_config.json", "special_tokens_map.json"):
        (folder / file).unlink(missing_ok=True)
    edit(folder / "tokenizer_config.json", model_max_length=config.pop("tokenizer_length", 1000))
    edit(folder / "config.json", **config)
    return folder


def edit(path, **values):
    content = json.loads(path.read_text())
    content.update(values)
    write(path, content)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def modules(folder, *steps, length=LENGTH, lower=False, **settings):
    """Lays the files of sentence-transformers around a checkpoint, as its releases 2 to 5 do."""
    names = ["Transformer"] + [step[0] for step in steps]
    entries = []
    for index, name in enumerate(names):
        path = "" if index == 0 else f"{index}_{name}"
        entries.append({"idx": index, "name": str(index), "path": path, "type": f"sentence_transformers.models.{name}"})
    write(folder / "modules.json", entries)
    write(folder / "sentence_bert_config.json", {"max_seq_length": length, "do_lower_case": lower})
    if settings:
        write(folder / "config_sentence_transformers.json", settings)
    for index, (name, config, *tensors) in enumerate(steps, start=1):
        target = folder / f"{index}_{name}"
        target.mkdir()
        if config is not None:
            write(target / "config.json", config)
        for weights in tensors:
            save_file(weights, target / "model.safetensors")


def pooling(width, *modes, **more):
    flags = {
        "cls": "cls_token",
        "max": "max_tokens",
        "mean": "mean_tokens",
        "mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
        "weightedmean": "weightedmean_tokens",
        "lasttoken": "lasttoken",
    }
    config = {"word_embedding_dimension": width, **more}
    config.update({f"pooling_mode_{flag}": mode in modes for mode, flag in flags.items()})
    return ("Pooling", config)


def dense(inside, outside, activation, bias=True, seed=3):
    generator = torch.Generator().manual_seed(seed)
    weights = {"linear.weight": torch.randn(outside, inside, generator=generator) * 0.3}
    if bias:
        weights["linear.bias"] = torch.randn(outside, generator=generator) * 0.3
    config = {"in_features": inside, "out_features": outside, "bias": bias, "activation_function": activation}
    return ("Dense", config, weights)


NORMALIZE = ("Normalize", None)


def expect(folder, change=None, prompts=False):
    """Writes what sentence-transformers gives for the checkpoint in `folder`; `change` alters the network first."""
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": "float32"})
    if change is not None:
        change(model[0].auto_model)
    rows = model.encode(TEXTS, batch_size=8, convert_to_tensor=True)
    found = {"rows": rows.contiguous()}
    if prompts:
        found["prompted"] = model.encode(TEXTS, batch_size=8, prompt=PROMPT, convert_to_tensor=True).contiguous()
    save_file(found, folder / "expected.safetensors")


def expect_scores(folder):
    model = CrossEncoder(str(folder), device="cpu", max_length=LENGTH, model_kwargs={"dtype": "float32"})
    scores = model.predict(pairs(), batch_size=8, convert_to_tensor=True)
    save_file({"scores": scores.contiguous()}, folder / "expected.safetensors")


def pairs():
    return list(zip(TEXTS, TEXTS[1:] + TEXTS[:1]))


def main(names):
    from catalogue import CATALOGUE

    torch.set_num_threads(1)
    MODELS.mkdir(exist_ok=True)
    write(HERE / "texts.json", TEXTS)
    for name, make in CATALOGUE.items():
        if not names or name in names:
            make(name)
            for file in MODELS.joinpath(name).rglob("*"):
                if file.is_file():
                    file.chmod(0o644)
            size = sum(file.stat().st_size for file in MODELS.joinpath(name).rglob("*") if file.is_file())
            print(f"{name}: {size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
