"""Small data files of every format with the rows that pyarrow and pandas read from them: expected.json.

Run with a Python that has pyarrow, pandas and zstandard (pyarrow's zstd codec is used); writes beside itself.
"""

import gzip
import json
import pathlib

import pandas
import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
TEXTS = ["satu", "", "dua\nbaris", "né 𝄞", "lima", "enam", "tujuh"]
EXPECTED = {}


def parquet(name, table, **options):
    pq.write_table(table, HERE / name, **options)
    EXPECTED[name] = pq.read_table(HERE / name).to_pylist()


def flat():
    return pa.table(
        {
            "text": pa.array(TEXTS),
            "large": pa.array(TEXTS, pa.large_string()),
            "maybe": pa.array(["a", None, "b", None, None, "c", "a"]),
            "word": pa.array(["x", "y", "x", "x", "y", "x", None]).dictionary_encode(),
            "label": pa.array([0, 1, 2, 3, 4, 5, 6], pa.int64()),
            "small": pa.array([-1, 1, 2, 3, 4, 5, 127], pa.int8()),
            "unsigned": pa.array([0, 1, 2, 3, 4, 5, 2**32 - 1], pa.uint32()),
            "hole": pa.array([1, None, 3, 4, 5, 6, 7], pa.int32()),
            "score": pa.array([0.5, 1.0, -2.25, 1e-9, 4.0, 5.0, 1e300], pa.float64()),
            "single": pa.array([0.5, 1.0, -2.25, 3.0, 4.0, 5.0, 0.1], pa.float32()),
            "truth": pa.array([True, False, None, True, True, False, True]),
        }
    )


def nested():
    return pa.table(
        {
            "labels": pa.array([[1, 2], [], None, [3]], pa.list_(pa.int64())),
            "sentences": pa.array([["a", "b"], ["c"], [], ["d", None]], pa.list_(pa.string())),
            "deep": pa.array([[["a"], []], [], [["b", "c"]], None], pa.list_(pa.list_(pa.string()))),
            "person": pa.array([{"name": "Ani", "age": 3}, None, {"name": None, "age": 4}, {"name": "B", "age": 5}]),
            "turns": pa.array(
                [[{"role": "user", "content": "hai"}], [], [{"role": "user", "content": "a"}, {"role": "bot", "content": "b"}], []]
            ),
            "_id": pa.array(["1", "2", "3", "4"]),
        }
    )


def text_files():
    rows = [{"sentence1": text, "sentence2": text.upper(), "score": index / 2} for index, text in enumerate(TEXTS)]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (HERE / "lines.jsonl").write_text(lines)
    with gzip.GzipFile(HERE / "lines.jsonl.gz", "wb", mtime=0) as file:
        file.write(lines.encode())
    with pa.CompressedOutputStream(str(HERE / "lines.jsonl.zst"), "zstd") as file:
        file.write(lines.encode())
    (HERE / "list.json").write_text(json.dumps(rows, indent=1))
    for name in ["lines.jsonl", "lines.jsonl.gz", "lines.jsonl.zst", "list.json"]:
        EXPECTED[name] = rows
    cells = [
        {"text": 'kata "dikutip", dan koma', "label": 1, "score": 0.5},
        {"text": "dua\nbaris", "label": 2, "score": 1.0},
        {"text": "tab\tdi dalam", "label": 3, "score": -2.25},
    ]
    for name, separator in [("quoted.csv", ","), ("quoted.tsv", "\t"), ("quoted.csv.gz", ",")]:
        compression = {"method": "gzip", "mtime": 0} if name.endswith("gz") else None
        pandas.DataFrame(cells).to_csv(HERE / name, index=False, sep=separator, compression=compression)
        EXPECTED[name] = json.loads(pandas.read_csv(HERE / name, sep=separator).to_json(orient="records"))


parquet("plain.parquet", flat(), row_group_size=3)
parquet("dictionary.parquet", flat(), use_dictionary=True, compression="gzip", data_page_version="2.0")
parquet("delta.parquet", flat().drop_columns(["word"]), use_dictionary=False, compression="zstd", data_page_version="2.0",
        column_encoding={"text": "DELTA_BYTE_ARRAY", "large": "DELTA_LENGTH_BYTE_ARRAY", "label": "DELTA_BINARY_PACKED"})
parquet("brotli.parquet", flat(), compression="brotli")
parquet("lz4.parquet", flat(), compression="lz4")
parquet("nested.parquet", nested(), row_group_size=3)
parquet("empty.parquet", flat().slice(0, 0))
text_files()
(HERE / "expected.json").write_text(json.dumps(EXPECTED, ensure_ascii=False, indent=1) + "\n")
