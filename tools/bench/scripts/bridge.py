"""Encodes the texts of a task by sentence-transformers alone: bridge.py MODEL ROWS.jsonl PASSES prints {"texts_per_second": [...]} as JSON."""

import json
import sys
import time
from pathlib import Path

from sentence_transformers import SentenceTransformer

model, rows, passes = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
rows = [json.loads(line) for line in rows.read_text().splitlines()]
texts = [row[column] for column in ("sentence1", "sentence2") for row in rows]
model = SentenceTransformer(model)
speeds = []
for _ in range(passes + 1):
    begin = time.perf_counter()
    model.encode(texts, batch_size=32, show_progress_bar=False)
    speeds.append(len(texts) / (time.perf_counter() - begin))
print(json.dumps({"texts_per_second": speeds[1:]}))
