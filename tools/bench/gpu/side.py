"""Python's side of `cargo xtask gpu-check`: transformers and PyTorch as this machine has them.

usage: side.py machine
       side.py make SHAPES.json
       side.py encode JOBS.json
       side.py occupy CUDA_DEVICE BYTES_LEFT
       side.py sample CUDA_DEVICE

`machine` prints what is installed and which devices are seen. `make` makes models with random weights, a tokenizer and texts.
`encode` answers each job of a list with a line of JSON; the other side reads the same list. `occupy` takes the memory of a device
but for some bytes, and `sample` prints each 50 ms how busy a device is, in percent; both until their input ends.
"""

import json
import pathlib
import random
import resource
import sys
import time

STARTED = time.perf_counter()
WORDS = 6000


def say(value):
    print(json.dumps(value), flush=True)


def machine():
    import importlib.metadata
    import platform

    import torch

    versions = {}
    for name in ("torch", "transformers", "sentence-transformers", "tokenizers"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    devices = []
    if torch.cuda.is_available():
        for number in range(torch.cuda.device_count()):
            found = torch.cuda.get_device_properties(number)
            devices.append({"name": found.name, "memory": found.total_memory})
    say(
        {
            "python": platform.python_version(),
            "versions": versions,
            "cuda": torch.version.cuda,
            "devices": devices,
            "packages": str(pathlib.Path(torch.__file__).resolve().parents[1]),
        }
    )


def tokenizer(folder, kind):
    """Words for tokens: what is compared is the network, and both sides read the same file."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special = {"bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]"], "qwen3": ["<|endoftext|>", "<unk>"]}[kind]
    vocabulary = {word: number for number, word in enumerate(special + [f"w{number}" for number in range(WORDS)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=special[1]))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if kind == "bert":
        template, used = "[CLS] $A [SEP]", ["[CLS]", "[SEP]"]
        names = dict(pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]")
    else:
        template, used = "$A <|endoftext|>", ["<|endoftext|>"]
        names = dict(pad_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<unk>", padding_side="left")
    made.post_processor = processors.TemplateProcessing(single=template, special_tokens=[(word, vocabulary[word]) for word in used])
    PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=100000, **names).save_pretrained(folder)


def make(file):
    for shape in json.loads(pathlib.Path(file).read_text()):
        begin = time.perf_counter()
        made = make_texts(shape) if "texts" in shape else make_model(shape)
        say({"name": shape["name"], "seconds": time.perf_counter() - begin, **made})


def make_texts(shape):
    """Texts of random words, as many as are asked for, of lengths between two bounds."""
    draw = random.Random(shape["seed"])
    low, high = shape["lengths"]
    texts = [" ".join(f"w{draw.randrange(WORDS)}" for _ in range(draw.randint(low, high))) for _ in range(shape["texts"])]
    pathlib.Path(shape["file"]).write_text(json.dumps(texts))
    return {}


def make_model(shape):
    """A folder of sentence-transformers with random weights; the folder is there when it is whole."""
    import torch
    import transformers
    from safetensors.torch import save_file

    kind, folder = shape["kind"], pathlib.Path(shape["folder"])
    config = transformers.AutoConfig.for_model(kind, **shape["config"])
    with torch.device("meta"):
        network = transformers.AutoModel.from_config(config)
    number_format = {"f32": torch.float32, "bf16": torch.bfloat16}[shape["dtype"]]
    generator = torch.Generator(shape["device"]).manual_seed(7)
    tensors = {}
    for name, parameter in network.named_parameters():
        values = torch.empty(parameter.shape, dtype=number_format, device=shape["device"])
        if parameter.dim() > 1:
            # Rows keep their size from layer to layer, so that every layer counts in the result.
            values.normal_(0, 1.0 if "embed" in name else 0.7 * parameter.shape[1] ** -0.5, generator=generator)
        elif name.endswith("bias"):
            values.normal_(0, 0.1, generator=generator)
        else:
            values.normal_(1, 0.1, generator=generator)
        tensors[name] = values.cpu()
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config.architectures = [type(network).__name__]
    config.save_pretrained(folder)
    tokenizer(folder, kind)
    width, steps = config.hidden_size, ["Transformer", "Pooling", "Normalize"]
    modules = [{"idx": i, "name": str(i), "path": "" if i == 0 else f"{i}_{step}", "type": f"sentence_transformers.models.{step}"} for i, step in enumerate(steps)]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": shape["length"], "do_lower_case": False}))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "2_Normalize").mkdir(exist_ok=True)
    pooling = {"word_embedding_dimension": width, "pooling_mode_mean_tokens": kind == "bert", "pooling_mode_lasttoken": kind != "bert"}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    return {"parameters": sum(values.numel() for values in tensors.values()), "bytes": sum(values.nbytes for values in tensors.values())}


def encode(file):
    import torch

    opened = None
    for job in json.loads(pathlib.Path(file).read_text()):
        try:
            key = [job[name] for name in ("folder", "device", "dtype", "pairs")]
            if opened is None or opened[0] != key:
                # The model before goes first: two may not fit into the memory.
                opened = None
                if job["device"] != "cpu":
                    torch.cuda.empty_cache()
                opened = (key, *open_model(job))
            say({"id": job["id"], **answer(job, *opened[1:])})
        except Exception as error:
            say({"id": job["id"], "error": f"{type(error).__name__}: {error}"[:500]})


def open_model(job):
    import torch
    from sentence_transformers import CrossEncoder, SentenceTransformer

    if job["threads"]:
        torch.set_num_threads(job["threads"])
    begin = time.perf_counter()
    number_format = {"f32": torch.float32, "bf16": torch.bfloat16}[job["dtype"]]
    settings = dict(device=job["device"], model_kwargs={"dtype": number_format})
    if job["pairs"]:
        model = CrossEncoder(job["folder"], max_length=job["pairs"], **settings)
        return model.predict, time.perf_counter() - begin
    model = SentenceTransformer(job["folder"], **settings)
    return model.encode, time.perf_counter() - begin


def answer(job, compute, opened):
    import numpy

    texts = json.loads(pathlib.Path(job["texts"]).read_text())[: job["count"] or None]
    if job["pairs"]:
        texts = list(zip(texts, texts[1:] + texts[:1]))
    begin = time.perf_counter()
    # One from the middle: some models of transformers take no empty text alone.
    compute([texts[len(texts) // 2]])
    found = {"open": opened, "first": time.perf_counter() - begin, "since_start": time.perf_counter() - STARTED}
    best = None
    for batch in job["batches"] if job["times"] else []:
        compute(texts[: 2 * batch], batch_size=batch)
        seconds = []
        for _ in range(job["times"]):
            begin = time.perf_counter()
            compute(texts, batch_size=batch)
            seconds.append(time.perf_counter() - begin)
        if best is None or min(seconds) < min(best[1]):
            best = (batch, seconds)
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    if best:
        found["batch"], found["seconds"] = best
    if job["rows"]:
        rows = numpy.asarray(compute(texts, batch_size=job["batches"][0], convert_to_numpy=True))
        rows = rows.reshape(len(texts), -1).astype("<f4")
        # Models of word vectors have no number for a text without a known word.
        numpy.where(numpy.isfinite(rows), rows, numpy.float32(0)).tofile(job["rows"])
        found["width"] = rows.shape[1]
    return found


def occupy(device, left):
    import torch

    device, held = torch.device("cuda", int(device)), []
    piece = 256 << 20
    while torch.cuda.mem_get_info(device)[0] > int(left) + piece:
        held.append(torch.empty(piece, dtype=torch.uint8, device=device))
    say({"free": torch.cuda.mem_get_info(device)[0]})
    sys.stdin.read()


def sample(device):
    """By NVML where its package is installed, else by nvidia-smi."""
    import subprocess
    import threading

    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    try:
        import pynvml

        pynvml.nvmlInit()
        handle = pynvml.nvmlDeviceGetHandleByIndex(int(device))
        look = lambda: pynvml.nvmlDeviceGetUtilizationRates(handle).gpu
    except Exception:
        command = ["nvidia-smi", f"--id={device}", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
        look = lambda: float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    while not ended.wait(0.05):
        say({"at": time.time(), "busy": look()})


if __name__ == "__main__":
    {"machine": machine, "make": make, "encode": encode, "occupy": occupy, "sample": sample}[sys.argv[1]](*sys.argv[2:])
