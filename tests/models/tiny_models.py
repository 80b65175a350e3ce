"""Makes a sparse and a multi-vector model with random weights, and data for them, in a folder: DIR/sparse, DIR/multi-vector, DIR/data."""

import json
import random
import sys
from pathlib import Path

import torch
from sentence_transformers import MultiVectorEncoder, SparseEncoder
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask
from sentence_transformers.sparse_encoder.modules import SpladePooling
from transformers import BertConfig, BertForMaskedLM, BertModel, BertTokenizerFast

SYLLABLES = [first + second for first in "bdgklmnprst" for second in "aiueo"]
WORDS = ["".join(random.Random(number).choices(SYLLABLES, k=2)) for number in range(80)]


def backbone(folder, head):
    """A BERT of two small layers whose vocabulary is made of syllables."""
    torch.manual_seed(7)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[Q]", "[D]", "."]
    vocabulary += SYLLABLES + ["##" + syllable for syllable in SYLLABLES]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48, max_position_embeddings=64
    )
    model = head(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def main():
    folder = Path(sys.argv[1])
    for name in ("mlm", "bert", "data"):
        (folder / name).mkdir()
    sparse = SparseEncoder(modules=[Transformer(backbone(folder / "mlm", BertForMaskedLM), transformer_task="fill-mask"), SpladePooling("max")], device="cpu")
    sparse.prompts = {"query": "ba: ", "document": ""}
    sparse.save(str(folder / "sparse"))
    vectors = MultiVectorEncoder(
        modules=[
            Transformer(backbone(folder / "bert", BertModel)),
            Dense(32, 16, bias=False, activation_function=torch.nn.Identity(), module_input_name="token_embeddings", module_output_name="token_embeddings"),
            MultiVectorMask(),
            Normalize(),
        ],
        prompts={"query": "[Q] ", "document": "[D] "},
        device="cpu",
    )
    vectors.save(str(folder / "multi-vector"))
    draw = random.Random(3)
    text = lambda most: " ".join(draw.choices(WORDS, k=draw.randint(1, most)))
    queries = {f"q{number}": text(5) for number in range(25)}
    documents = {f"d{number}": text(20) for number in range(120)}
    qrels = {query: [f"d{number}", f"d{number + 25}"] for number, query in enumerate(queries)}
    for query, names in qrels.items():
        documents |= {name: f"{queries[query]} {text(4)} {queries[query]}" for name in names}
    lists = {query: draw.sample(sorted(documents), 12) + qrels[query][:1] for query in queries}
    lists = {query: sorted(set(names), key=names.index) for query, names in lists.items()}
    for name, rows in {
        "corpus": [{"_id": key, "text": value} for key, value in documents.items()],
        "queries": [{"_id": key, "text": value} for key, value in queries.items()],
        "qrels": [{"query-id": query, "corpus-id": name, "score": 1} for query, names in qrels.items() for name in names],
        "top_ranked": [{"query-id": query, "corpus-ids": names} for query, names in lists.items()],
        "pairs": [{"sentence1": text(9), "sentence2": text(9), "score": draw.random() * 5} for _ in range(60)],
    }.items():
        (folder / "data" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


main()
