"""Files of tables in the formats that datasets have, and how the reference's library reads them."""

import csv
import json

import pyarrow as pa
import pyarrow.json as arrow_json
import pyarrow.parquet as parquet


def write(folder, name: str, rows: list, kind: str) -> str:
    """Writes a table, and gives its path below the folder; lists and objects are not written as CSV."""
    if kind == "csv" and any(isinstance(cell, (list, dict)) for row in rows for cell in row.values()):
        kind = "jsonl"
    path = f"{name}.{kind}"
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == "parquet":
        parquet.write_table(narrowed(pa.Table.from_pylist(rows)), file)
    elif kind == "csv":
        with file.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def narrowed(table: pa.Table) -> pa.Table:
    """The table with its numbers and texts in other types of the same kind, as some files have them."""
    others = {pa.int64(): pa.int32(), pa.float64(): pa.float32(), pa.string(): pa.large_string()} if table.num_rows % 2 else {}
    fields = [pa.field(field.name, others.get(field.type, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields))


def read(file):
    """The table as the builders of `datasets` read it."""
    if file.suffix == ".parquet":
        return parquet.read_table(file)
    if file.suffix == ".csv":
        import pandas
        from datasets.packaged_modules.csv.csv import CsvConfig

        frames = pandas.read_csv(file, iterator=True, **CsvConfig(name="made").pd_read_csv_kwargs)
        return pa.concat_tables(pa.Table.from_pandas(frame, preserve_index=False) for frame in frames)
    return arrow_json.read_json(file, read_options=arrow_json.ReadOptions(block_size=64 << 20))
