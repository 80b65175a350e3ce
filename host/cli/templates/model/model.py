"""{{name}}: an embedding model for mteb-host. Replace what `encode` does."""


class {{pascal}}:
    # Name and revision in results. Change the revision whenever the embedding of a text changes.
    name = "{{organisation}}/{{kebab}}"
    revision = "1"
    # How two embeddings are compared: "cosine", "dot", "euclidean" or "manhattan".
    similarity = "cosine"
    # Prompts by task name, task type or role; `prompt` below is the one that applies.
    # prompts = {"query": "query: ", "document": "passage: "}

    def __init__(self):
        # Load weights here, once: from sentence_transformers import SentenceTransformer
        self.letters = "abcdefghijklmnopqrstuvwxyz "

    def encode(self, texts, role=None, prompt=""):
        """One embedding per text, all of the same length. `role` is "query", "document" or None."""
        return [[float((prompt + text).lower().count(letter)) for letter in self.letters] for text in texts]
