"""A made dataset as the reference's loaders and the host read it: by `load_dataset`, and as a folder of the hub."""

import json
from pathlib import Path

import datasets


class Hub:
    """Stands in for the hub: knows the tables of one task, and refuses what they do not have."""

    def __init__(self) -> None:
        self.name, self.revision, self.tables = "", "", {}

    def take(self, card: dict, tables: dict) -> None:
        self.name, self.revision = card["dataset"]["hub"], card["dataset"]["revision"]
        self.tables = {place: made(columns, class_column(card)) for place, columns in tables.items()}

    def write(self, folder: Path) -> None:
        """Writes the tables as Parquet with the front matter that names configs and splits."""
        folder = folder / "datasets" / self.name / self.revision
        configs: dict = {}
        for (config, split), table in self.tables.items():
            file = f"{config}/{split}-00000-of-00001.parquet"
            (folder / config).mkdir(parents=True, exist_ok=True)
            table.to_parquet(folder / file)
            configs.setdefault(config, []).append({"split": split, "path": file})
        listed = [{"config_name": config, "data_files": files} for config, files in configs.items()]
        # JSON is YAML: no name has to be quoted by hand.
        (folder / "README.md").write_text(f"---\n{json.dumps({'configs': listed})}\n---\n")

    def check(self, path: str, revision: str | None) -> None:
        # Some loaders name no revision, and so take the newest.
        if path != self.name or revision not in (self.revision, None):
            raise LookupError(f"expected {self.name} at {self.revision}, the reference asks for {path} at {revision}")

    def load_dataset(self, path, name=None, *, split=None, revision=None, data_files=None, data_dir=None, **_rest):
        self.check(path, revision)
        if data_files is not None or data_dir is not None:
            raise LookupError(f"the reference reads files by their names: {data_files or data_dir}")
        splits = self.splits(name)
        if isinstance(split, list):
            return [self.one(splits, name, one) for one in split]
        return datasets.DatasetDict(splits) if split is None else self.one(splits, name, str(split))

    def splits(self, config: str | None) -> dict:
        config = config or "default"
        found = {split: table for (own, split), table in self.tables.items() if own == config}
        if not found:
            raise LookupError(f"the reference asks for a config that the card does not lead to: {config}")
        return found

    @staticmethod
    def one(splits: dict, config: str, split: str):
        split, _, rows = split.partition("[:")
        if rows:
            found = Hub.one(splits, config, split)
            return found.select(range(min(len(found), int(rows.rstrip("]")))))
        if split not in splits:
            raise LookupError(f"the reference asks for a split that the card does not lead to: {config}/{split}")
        return splits[split]

    def config_names(self, path, revision=None, **_rest) -> list:
        self.check(path, revision)
        return list(dict.fromkeys(config for config, _ in self.tables))

    def split_names(self, path, config_name=None, revision=None, **_rest) -> list:
        self.check(path, revision)
        return list(self.splits(config_name))

    def stand_in(self) -> None:
        """Takes the place of the library's functions; before `mteb` is imported, which keeps them by name."""
        datasets.load_dataset = self.load_dataset
        datasets.get_dataset_config_names = self.config_names
        datasets.get_dataset_split_names = self.split_names
        spare_absent_columns()


def spare_absent_columns() -> None:
    """What a loader only removes, or renames and never reads, was not made."""
    remove, rename, rename_all = (getattr(datasets.Dataset, name) for name in ("remove_columns", "rename_column", "rename_columns"))

    def remove_columns(rows, column_names, **rest):
        names = [column_names] if isinstance(column_names, str) else column_names
        return remove(rows, [name for name in names if name in rows.column_names], **rest)

    def rename_column(rows, original_column_name, new_column_name, **rest):
        return rename(rows, original_column_name, new_column_name, **rest) if original_column_name in rows.column_names else rows

    def rename_columns(rows, column_mapping, **rest):
        return rename_all(rows, {old: new for old, new in column_mapping.items() if old in rows.column_names}, **rest)

    datasets.Dataset.remove_columns = remove_columns
    datasets.Dataset.rename_column = rename_column
    datasets.Dataset.rename_columns = rename_columns


def class_column(card: dict) -> str | None:
    """The hub's name of the labels that the card says are class numbers."""
    dataset = card["dataset"]
    if not dataset.get("subsample", {}).get("class_numbers"):
        return None
    ours = "label" if card["type"] == "Classification" else "labels"
    return dataset.get("columns", {}).get(ours, ours)


def made(columns: dict, classes: str | None) -> datasets.Dataset:
    rows = datasets.Dataset.from_dict(columns)
    if classes not in columns:
        return rows
    names = [f"class {number}" for number in range(max(columns[classes]) + 1)]
    return rows.cast_column(classes, datasets.ClassLabel(names=names))
