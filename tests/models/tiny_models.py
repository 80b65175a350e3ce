"""Makes a sparse model, multi-vector models in every form of files, a cross-encoder, and data for them, with random weights, in a folder:
DIR/sparse, DIR/router, DIR/asymmetric, DIR/prompted, DIR/cross-encoder, DIR/multi-vector, DIR/multi-vector-mean, DIR/multi-vector-pylate, DIR/multi-vector-older-pylate, DIR/multi-vector-stanford, DIR/data;
a model in float16, DIR/half; and models whose files are changed, below DIR/changed."""

import json
import random
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from sentence_transformers import MultiVectorEncoder, SentenceTransformer, SparseEncoder
from sentence_transformers.base.modules import Dense, Normalize, Router, Transformer
from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask
from sentence_transformers.sentence_transformer.modules import Pooling
from sentence_transformers.sparse_encoder.modules import SpladePooling
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel, BertTokenizerFast

SYLLABLES = [first + second for first in "bdgklmnprst" for second in "aiueo"]
WORDS = ["".join(random.Random(number).choices(SYLLABLES, k=2)) for number in range(80)]


def backbone(folder, head, seed=7, plain_norms=False):
    """A BERT of two small layers whose vocabulary is made of syllables. With random norms the mean over the tokens of any text is nearly
    the same row; with plain ones rows differ far beyond the last bits of a number."""
    folder.mkdir(exist_ok=True)
    torch.manual_seed(seed)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[Q]", "[D]", "."]
    vocabulary += SYLLABLES + ["##" + syllable for syllable in SYLLABLES]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48, max_position_embeddings=64
    )
    model = head(config)
    for name, parameter in model.named_parameters():
        if not (plain_norms and "LayerNorm" in name):
            torch.nn.init.normal_(parameter, std=0.4)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def scorer(config):
    """A head with one number a pair."""
    config.num_labels = 1
    return BertForSequenceClassification(config)


def write_json(file, value):
    file.write_text(json.dumps(value))


def as_pylate(native, folder, kind):
    """The model as PyLate writes it: a transformer and a projection, whose markers and lengths stand beside them."""
    shutil.copytree(native, folder)
    dense = next(folder.glob("*_Dense"))
    modules = [("", "sentence_transformers.models.Transformer"), (dense.name, "pylate.models.Dense.Dense")]
    rows = [{"idx": number, "name": str(number), "path": path, "type": type} for number, (path, type) in enumerate(modules)]
    write_json(folder / "modules.json", rows)
    projection = {"in_features": 32, "out_features": 16, "bias": False, "activation_function": "torch.nn.modules.linear.Identity"}
    write_json(dense / "config.json", projection)
    # Where these stand in the files of the network, PyLate has none of them.
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 64, "do_lower_case": false}')
    markers = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 12, "document_length": 40, "attend_to_expansion_tokens": False}
    write_json(folder / "config_sentence_transformers.json", {"similarity_fn_name": "MaxSim", "prompts": {}, "skiplist_words": ["."], **markers, **kind})


def as_stanford(native, folder):
    """The model as Stanford's code writes it: the projection lies in the file of the network."""
    folder.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy2(native / name, folder / name)
    model = MultiVectorEncoder(str(native), device="cpu")
    network = model[0].auto_model
    weights = {f"bert.{name}": weight.contiguous() for name, weight in network.state_dict().items()}
    save_file(weights | {"linear.weight": model[1].linear.weight.detach().contiguous()}, folder / "model.safetensors", metadata={"format": "pt"})
    write_json(folder / "config.json", network.config.to_dict() | {"architectures": ["HF_ColBERT"]})
    write_json(folder / "artifact.metadata", {"query_token_id": "[Q]", "doc_token_id": "[D]", "query_maxlen": 12, "doc_maxlen": 40})


def routes(folder):
    """Models of which queries and documents go through other networks: as the library writes them, and as it did before it called them
    routers; and one whose documents get an empty prompt where its default is another."""
    encoder = lambda name, seed: [Transformer(backbone(folder / name, BertModel, seed, plain_norms=True)), Pooling(32, "mean")]
    router = Router.for_query_document(encoder("bert-query", 8), encoder("bert-document", 9))
    SentenceTransformer(modules=[router], device="cpu").save(str(folder / "router"))
    older = folder / "asymmetric"
    shutil.copytree(folder / "router", older)
    modules = json.loads((older / "modules.json").read_text())
    place = older / modules[0]["path"]
    (place / "router_config.json").rename(place / "config.json")
    write_json(older / "modules.json", [modules[0] | {"type": "sentence_transformers.models.Asym"}])
    prompts = {"query": "ba: ", "document": "", "Reranking": "do: "}
    SentenceTransformer(modules=encoder("bert-prompted", 10), prompts=prompts, default_prompt_name="query", device="cpu").save(str(folder / "prompted"))


def half(folder):
    """A BERT whose files are in float16, as a model of sentence-transformers."""
    network = folder / "bert-half"
    network.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [mark + letter for mark in ("", "##") for letter in "abcdefghijklmnopqrstuvwxyz"]
    (network / "vocab.txt").write_text("\n".join(vocabulary))
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48, max_position_embeddings=64
    )
    BertModel(config).half().save_pretrained(network)
    BertTokenizerFast(str(network / "vocab.txt"), model_max_length=64).save_pretrained(network)
    model = SentenceTransformer(str(network), device="cpu")
    assert next(model.parameters()).dtype == torch.float16
    model.save(str(folder / "half"))


def changed(folder):
    """A BERT and a cross-encoder, each with a part changed or left out."""
    folder.mkdir()

    def model(name, head, change):
        file = Path(backbone(folder / name, head, plain_norms=True)) / "model.safetensors"
        save_file(change(load_file(file)), file, metadata={"format": "pt"})

    def without(part):
        return lambda tensors: {name: tensor for name, tensor in tensors.items() if part not in name}

    def whole_numbers(tensors):
        name = "encoder.layer.0.output.dense.weight"
        return tensors | {name: (tensors[name] * 50).to(torch.int8)}

    model("no-pooler", BertModel, without("pooler"))
    model("renamed", BertModel, lambda tensors: {"module." + name: tensor for name, tensor in tensors.items()})
    model("lacking", BertModel, without("layer.1.output.dense.weight"))
    model("whole-numbers", BertModel, whole_numbers)
    model("no-head", scorer, without("classifier"))
    model("no-used-pooler", scorer, without("pooler"))


def main():
    folder = Path(sys.argv[1])
    for name in ("mlm", "bert", "cross-encoder", "data"):
        (folder / name).mkdir()
    backbone(folder / "cross-encoder", scorer)
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
    native = folder / "multi-vector"
    vectors.save(str(native))
    as_pylate(native, folder / "multi-vector-pylate", {"model_type": "ColBERT"})
    as_pylate(native, folder / "multi-vector-older-pylate", {})
    as_stanford(native, folder / "multi-vector-stanford")
    vectors.similarity_fn_name = "meanmaxsim"
    vectors.save(str(folder / "multi-vector-mean"))
    routes(folder)
    half(folder)
    changed(folder / "changed")
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
