"""Gives the vectors of words of the tiny T5 of `models/` other names and numbers, and writes what sentence-transformers makes of each
checkpoint to `tensor_names.json`.

usage: tensor_names.py
"""

import json
import logging
import os
import pathlib
import shutil
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false")

from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer

logging.disable(logging.CRITICAL)
HERE = pathlib.Path(__file__).parent
TEXTS = ["Hujan turun di Merapi", "a ship", "dan kapal itu berlayar jauh sekali ke selatan"]
SHARED, OWN = "shared.weight", "encoder.embed_tokens.weight"
CASES = {
    "both, equal": lambda words: {SHARED: words, OWN: words},
    "both, the encoder's from the last to the first": lambda words: {SHARED: words, OWN: words.flip(0)},
    "the encoder's alone": lambda words: {OWN: words.flip(0)},
    "the shared ones alone": lambda words: {SHARED: words.flip(0)},
}


def rows(names):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "model"
        shutil.copytree(HERE / "models/t5", folder)
        tensors = load_file(folder / "model.safetensors")
        tensors.update(names(tensors.pop(SHARED)))
        save_file({name: tensor.clone() for name, tensor in tensors.items()}, folder / "model.safetensors", metadata={"format": "pt"})
        found = SentenceTransformer(str(folder), device="cpu").encode(TEXTS, show_progress_bar=False)
        return [[float(f"{value:.7g}") for value in row] for row in found.tolist()]


def main():
    found = {"texts": TEXTS, "cases": {case: rows(names) for case, names in CASES.items()}}
    (HERE / "tensor_names.json").write_text(json.dumps(found, indent=1) + "\n")


main()
