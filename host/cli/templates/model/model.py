"""{{name}}: an embedding model for mteb-host. Replace what `encode` does."""


class {{pascal}}:
    # What results call the model, and its state: change the revision whenever a text gets another row.
    name = "{{organisation}}/{{kebab}}"
    revision = "1"
    # How two rows are compared: "cosine", "dot", "euclidean" or "manhattan".
    similarity = "cosine"
    # Prompts by name of a task, a type of tasks, or a role; `prompt` below is the one that fits.
    # prompts = {"query": "query: ", "document": "passage: "}

    def __init__(self):
        # Load weights here, once: from sentence_transformers import SentenceTransformer
        self.letters = "abcdefghijklmnopqrstuvwxyz "

    def encode(self, texts, role=None, prompt=""):
        """One row for each text, all of one length. `role` is "query", "document" or None."""
        return [[float((prompt + text).lower().count(letter)) for letter in self.letters] for text in texts]
