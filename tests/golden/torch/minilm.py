"""Writes the vectors that sentence-transformers gives for 500 texts with the real all-MiniLM-L6-v2.

usage: minilm.py MODEL_FOLDER
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer

from texts import varied

HERE = pathlib.Path(__file__).parent
FILES = 3


def main(folder):
    torch.set_num_threads(1)
    model = SentenceTransformer(folder, device="cpu")
    texts = varied(500)
    rows = model.encode(texts, batch_size=32, convert_to_tensor=True)
    (HERE / "minilm").mkdir(exist_ok=True)
    (HERE / "minilm" / "texts.json").write_text(json.dumps(texts, ensure_ascii=False, indent=0) + "\n")
    for number, part in enumerate(rows.chunk(FILES)):
        save_file({"rows": part.contiguous()}, HERE / "minilm" / f"rows-{number}.safetensors")


main(sys.argv[1])
