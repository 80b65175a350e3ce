"""The reference's side of `cargo xtask bench encode`.

usage: encode.py texts HUB_FOLDER OUT_FOLDER
       encode.py drift FOLDER NAME
       encode.py onnx
       encode.py run MODEL_FOLDER TEXTS.json f32|bf16|onnx THREADS TIMES [ROWS.safetensors]

`texts` writes 2,000 short sentences (STSBenchmark) and 500 paragraphs of about 150 words (SciFact). `run` prints the
seconds, of the clock and of the processor, that sentence-transformers, or onnxruntime on a network exported from it, takes with batches of 32.
`onnx` fails where onnxruntime is not at hand.
"""

import gzip
import json
import pathlib
import sys
import time


def texts(hub, out):
    hub, out = pathlib.Path(hub) / "datasets" / "mteb", pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    file = next((hub / "stsbenchmark-sts").glob("*/test.jsonl.gz"))
    rows = [json.loads(line) for line in gzip.open(file, "rt")]
    sentences = list(dict.fromkeys(text for row in rows for text in (row["sentence1"], row["sentence2"])))[:2000]
    file = next((hub / "scifact").glob("*/corpus.jsonl"))
    paragraphs = [" ".join(json.loads(line)["text"].split()[:150]) for line in open(file)]
    paragraphs = [text for text in paragraphs if len(text.split()) == 150][:500]
    for name, found in (("sentences", sentences), ("paragraphs", paragraphs)):
        (out / f"{name}.json").write_text(json.dumps(found))


def sentence_transformer(folder, dtype, threads):
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = SentenceTransformer(folder, device=device, model_kwargs={"dtype": kind})
    return lambda found: model.encode(found, batch_size=32, convert_to_numpy=True)


def onnx(folder, threads):
    """The same network in onnxruntime: sorted by length, batches of 32, mean pooling, rows of length 1."""
    import numpy
    import onnxruntime
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu")
    path = pathlib.Path(__file__).resolve().parents[2] / "target" / "bench" / "encode" / "network.onnx"
    names = ["input_ids", "attention_mask", "token_type_ids"]

    class Network(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, *tensors):
            return self.inner(**dict(zip(names, tensors))).last_hidden_state

    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        example = model.tokenizer(["a b", "c"], padding=True, return_tensors="pt")
        network = model[0].auto_model
        network.set_attn_implementation("eager")
        shape = {0: "texts", 1: "tokens"}
        torch.onnx.export(
            Network(network).eval(),
            tuple(example[name] for name in names),
            str(path),
            input_names=names,
            output_names=["rows"],
            dynamic_axes={name: shape for name in names + ["rows"]},
            dynamo=False,
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def encode(found):
        order = sorted(range(len(found)), key=lambda text: -len(found[text]))
        rows = numpy.zeros((len(found), model.get_embedding_dimension()), numpy.float32)
        for start in range(0, len(order), 32):
            batch = order[start : start + 32]
            inputs = model.tokenizer([found[text] for text in batch], padding=True, truncation=True, return_tensors="np")
            tokens = session.run(["rows"], {name: inputs[name] for name in names})[0]
            mask = inputs["attention_mask"][..., None]
            pooled = (tokens * mask).sum(1) / mask.sum(1)
            rows[batch] = pooled / numpy.linalg.norm(pooled, axis=1, keepdims=True)
        return rows

    return encode


def run(folder, file, dtype, threads, times, rows=None):
    found = json.loads(pathlib.Path(file).read_text())
    encode = onnx(folder, int(threads)) if dtype == "onnx" else sentence_transformer(folder, dtype, int(threads))
    encode(found[:64])
    seconds, processor = [], []
    for _ in range(int(times)):
        begin, spent = time.perf_counter(), time.process_time()
        result = encode(found)
        seconds.append(time.perf_counter() - begin)
        processor.append(time.process_time() - spent)
    if rows:
        import numpy
        from safetensors.numpy import save_file

        save_file({"rows": numpy.ascontiguousarray(result, numpy.float32)}, rows)
    print(json.dumps({"seconds": seconds, "processor": processor}))


def drift(folder, name):
    """Cosine of every side's rows to those of sentence-transformers in float32, and their largest difference."""
    import numpy
    from safetensors.numpy import load_file

    folder = pathlib.Path(folder)
    expected = load_file(folder / f"{name}-reference-f32.safetensors")["rows"]
    for file in sorted(folder.glob(f"{name}-*.safetensors")):
        found = load_file(file)["rows"]
        lengths = numpy.linalg.norm(expected, axis=1) * numpy.linalg.norm(found, axis=1)
        cosines = (expected * found).sum(1) / lengths
        difference = numpy.abs(expected - found).max()
        print(f"{file.stem}: cosine mean {cosines.mean():.6f}, least {cosines.min():.6f}; difference {difference:.1e}")


def has_onnx():
    import onnxruntime  # noqa: F401


{"texts": texts, "run": run, "drift": drift, "onnx": has_onnx}[sys.argv[1]](*sys.argv[2:])
