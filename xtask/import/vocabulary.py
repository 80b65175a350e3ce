"""The closed word lists that task cards know, read from their JSON Schema."""

import json
from pathlib import Path


class Vocabulary:
    def __init__(self, schema: Path) -> None:
        definitions = json.loads(schema.read_text())["$defs"]
        words = lambda name: definitions[name]["enum"]
        self.types = words("TaskType")
        self.lists = {
            "category": words("Category"),
            "domains": words("Domain"),
            "subtypes": words("TaskSubtype"),
            "annotations": words("AnnotationsCreator"),
            "sample_creation": words("SampleCreation"),
        }
