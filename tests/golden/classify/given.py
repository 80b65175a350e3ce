"""A model of the reference whose embeddings are given."""
import numpy as np
from mteb.models import ModelMeta


class GivenEncoder:
    """Looks the embedding of a text up in a table."""

    mteb_model_meta = ModelMeta.create_empty(overwrites={"name": "test/given", "revision": "1"})

    def __init__(self, table):
        self.table = table

    def encode(self, inputs, **kwargs):
        return np.array([self.table[text] for batch in inputs for text in batch["text"]], dtype=np.float32)

    def similarity(self, left, right):
        raise NotImplementedError

    similarity_pairwise = similarity
