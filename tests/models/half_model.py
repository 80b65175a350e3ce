"""Makes a BERT of two small layers with random weights whose files are in float16, as a model of sentence-transformers: DIR/half."""

import sys
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel, BertTokenizerFast

folder = Path(sys.argv[1])
(folder / "bert").mkdir()
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [mark + letter for mark in ("", "##") for letter in "abcdefghijklmnopqrstuvwxyz"]
(folder / "bert/vocab.txt").write_text("\n".join(vocabulary))
torch.manual_seed(7)
config = BertConfig(
    vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48, max_position_embeddings=64
)
BertModel(config).half().save_pretrained(folder / "bert")
BertTokenizerFast(str(folder / "bert/vocab.txt"), model_max_length=64).save_pretrained(folder / "bert")
model = SentenceTransformer(str(folder / "bert"), device="cpu")
assert next(model.parameters()).dtype == torch.float16
model.save(str(folder / "half"))
