"""Loads tiny checkpoints of `models/` as the reference's wrappers of mteb do, with settings that the files do not state, and writes
`loading.safetensors`: for each case the rows of the texts of `texts.json`, or the scores of pairs of neighbouring texts.

usage: loading.py
"""

import json
import pathlib

import torch
from mteb.models import CrossEncoderWrapper
from mteb.models.instruct_wrapper import InstructSentenceTransformerModel
from safetensors.torch import save_file
from torch.nn import functional

HERE = pathlib.Path(__file__).parent
TEXTS = json.loads((HERE / "texts.json").read_text())
PROMPT = "Cari bagian teks: "
# The case, its checkpoint, what the wrapper is told, and the prompt.
CASES = [
    ("eos", "mistral", {"add_eos_token": True}, ""),
    ("bos-eos", "mistral", {"add_eos_token": True, "tokenizer_kwargs": {"add_bos_token": True}}, ""),
    ("eos-other", "qwen3", {"add_eos_token": True, "padding_side": "left"}, ""),
    ("eos-cut", "mistral", {"add_eos_token": True, "max_seq_length": 12}, ""),
    ("length", "bert", {"max_seq_length": 9}, ""),
    ("prompt", "bert", {"include_prompt": False}, PROMPT),
    ("prompt-eos", "mistral", {"include_prompt": False, "add_eos_token": True}, PROMPT),
    ("dimension", "bert", {"embed_dim": 5}, ""),
]


def rows(checkpoint, options, prompt):
    folder = str(HERE / "models" / checkpoint)
    wrapper = InstructSentenceTransformerModel(folder, None, device="cpu", instruction_template="{instruction}", **options)
    return torch.from_numpy(wrapper.model.encode(TEXTS, prompt=prompt or None, show_progress_bar=False, batch_size=4))


def main():
    found = {case: rows(*others) for case, *others in CASES}
    plain = rows("bert", {}, "")
    # As the wrapper of nomic-embed-text-v1.5 does it.
    found["layer-norm"] = functional.normalize(functional.layer_norm(plain, (plain.shape[1],)), p=2, dim=1)
    scorer = CrossEncoderWrapper(str(HERE / "models/cross-bert"), device="cpu", activation_fn=torch.nn.Identity(), max_length=16)
    pairs = list(zip(TEXTS, TEXTS[1:] + TEXTS[:1]))
    found["raw-scores"] = torch.from_numpy(scorer.model.predict(pairs, show_progress_bar=False)).flatten()
    save_file({case: values.float().contiguous() for case, values in found.items()}, HERE / "loading.safetensors")


main()
