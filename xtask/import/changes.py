"""Reads the code that changes a task's rows, and says the same in the words of cards where they have them."""

import ast

import source_code


# Names that tasks give to the dataset on its way.
SAME = ("ds", "_dataset", "DatasetDict(ds)", "DatasetDict(_dataset)", "hf_dataset", "subset")


class Unknown(Exception):
    """A statement that no word of a card stands for."""


class Changes:
    """What a `dataset_transform` does, statement by statement."""

    def __init__(self, task) -> None:
        self.task = task
        self.around = source_code.names_around(task)
        self.columns: dict = {}
        self.keep: dict = {}
        self.label_map: dict = {}
        self.subsample: dict | None = None
        self.unfold = False
        self.encode_labels = False
        self.max_documents = None
        self.locals: dict = {}
        self.pieces: dict = {}

    def read(self, function) -> dict:
        """The keys of `[dataset]`.

        Raises `Unknown` where the code does something else.
        """
        self.block(source_code.statements(function))
        self.call_label_as_here()
        found = {
            "unfold": self.unfold or None,
            "columns": self.columns or None,
            "keep": self.keep or None,
            "label_map": self.label_map or None,
            "encode_labels": self.encode_labels or None,
            "subsample": self.subsample,
        }
        return {name: value for name, value in found.items() if value is not None}

    def call_label_as_here(self) -> None:
        """The host draws behind the renaming, whatever the order in the reference."""
        here = {theirs: ours for ours, theirs in self.columns.items()}
        if self.subsample and self.subsample.get("label") in here:
            label = here[self.subsample.pop("label")]
            if label != self.usual_label():
                self.subsample["label"] = label

    def usual_label(self) -> str:
        task_type = self.task.metadata.type
        return "labels" if "Clustering" in task_type or "Pair" in task_type else "label"

    def block(self, nodes: list) -> None:
        for node in nodes:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.For) and self.is_data(node.iter):
            self.block(node.body)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and self.is_check(node.value):
            pass
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.assign(node.targets[0], node.value)
        else:
            raise Unknown(ast.unparse(node))

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        name = ast.unparse(target)
        if name == "self.max_fraction_of_documents_to_embed" and ast.unparse(value) == "None":
            self.max_documents = 0
        elif isinstance(target, ast.Name) and isinstance(value, ast.Call) and self.chained(value):
            self.pieces[name] = self.chained(value)
        elif isinstance(target, ast.Name) and self.is_rows(value):
            self.rows(value)
        elif isinstance(target, ast.Name):
            self.local(name, value)
        elif isinstance(target, ast.Subscript) and (ast.unparse(value) == "{}" or self.assembled(value)):
            pass
        elif self.is_dataset(target):
            self.rows(value)
        else:
            raise Unknown(f"{name} = {ast.unparse(value)}")

    def local(self, name: str, value: ast.expr) -> None:
        """A name for later: a literal, an empty table to be filled, or columns that are to be removed."""
        try:
            self.locals[name] = ast.literal_eval(value)
        except ValueError:
            if not isinstance(value, ast.ListComp) or "column_names" not in ast.unparse(value):
                raise Unknown(f"{name} = {ast.unparse(value)}") from None

    def rows(self, value: ast.expr) -> None:
        """`value` is the dataset, or one split or subset of it, after some steps."""
        if self.is_dataset(value) or ast.unparse(value) in SAME:
            return
        if not isinstance(value, ast.Call):
            raise Unknown(ast.unparse(value))
        method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
        if method == "stratified_subsampling":
            self.subsampled(value)
            return
        if not isinstance(value.func, ast.Attribute):
            raise Unknown(ast.unparse(value))
        self.rows(value.func.value)
        step = getattr(self, f"step_{method}", None)
        if step is None:
            raise Unknown(ast.unparse(value))
        step(value)

    def step_rename_column(self, call: ast.Call) -> None:
        theirs, ours = (self.constant(arg) for arg in call.args)
        self.rename(theirs, ours)

    def step_rename_columns(self, call: ast.Call) -> None:
        for theirs, ours in self.constant(call.args[0]).items():
            self.rename(theirs, ours)

    def step_remove_columns(self, _call: ast.Call) -> None:
        pass

    step_select_columns = step_remove_columns

    def step_class_encode_column(self, call: ast.Call) -> None:
        if self.columns.get(self.constant(call.args[0]), self.constant(call.args[0])) not in ("label", "labels"):
            raise Unknown(ast.unparse(call))
        self.encode_labels = True

    def step_filter(self, call: ast.Call) -> None:
        """`lambda x: x["label"] in [0, 2]`."""
        test = call.args[0].body if isinstance(call.args[0], ast.Lambda) and len(call.args) == 1 else None
        is_list = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In)
        column = self.cell(test.left) if is_list else None
        if column is None or self.subsample is not None:
            raise Unknown(ast.unparse(call))
        self.keep[column] = sorted(self.constant(test.comparators[0]))

    def step_map(self, call: ast.Call) -> None:
        """`lambda x: {"label": 0 if x["label"] == 2 else 1}`, `lambda x: {"label": mapping[x["label"]]}`, or
        `lambda x: {"score": float(x["score"])}`, as the host reads scores anyway."""
        entry = call.args[0].body if isinstance(call.args[0], ast.Lambda) else None
        if isinstance(entry, ast.Dict) and all(self.cell(value) for value in entry.values):
            for ours, theirs in zip(entry.keys, entry.values, strict=True):
                self.rename(self.cell(theirs), ours.value)
            return
        if not isinstance(entry, ast.Dict) or len(entry.keys) != 1:
            raise Unknown(ast.unparse(call))
        column, value = entry.keys[0].value, entry.values[0]
        if isinstance(value, ast.Subscript) and self.cell(value.slice) == column:
            self.label_map = {str(theirs): ours for theirs, ours in self.constant(value.value).items()}
            return
        if column == "score" and ast.unparse(value) == f"float({ast.unparse(call.args[0].args)}['score'])":
            return
        is_choice = isinstance(value, ast.IfExp) and isinstance(value.test, ast.Compare) and isinstance(value.test.ops[0], ast.Eq)
        if not is_choice or self.cell(value.test.left) != column:
            raise Unknown(ast.unparse(call))
        first = self.constant(value.test.comparators[0])
        yes, no = self.constant(value.body), self.constant(value.orelse)
        self.label_map = {str(label): yes if label == first else no for label in self.keep.get(column, ["*"])}
        if column not in self.keep:
            self.label_map[str(first)] = yes

    def subsampled(self, call: ast.Call) -> None:
        if self.subsample is not None:
            raise Unknown(ast.unparse(call))
        names = ["dataset_dict", "seed", "splits", "label", "n_samples"]
        given = dict(zip(names, call.args)) | {word.arg: word.value for word in call.keywords}
        if ast.unparse(given.get("seed", call)) != "self.seed":
            raise Unknown(ast.unparse(call))
        splits = list(self.constant(given["splits"])) if "splits" in given else ["test"]
        rows = self.constant(given["n_samples"]) if "n_samples" in given else 2048
        label = self.constant(given["label"]) if "label" in given else "label"
        self.subsample = {"rows": rows}
        # A card that names no splits leaves the training rows whole while another split is scored.
        is_also_learned_from = len(splits) > 1 and getattr(self.task, "train_split", None) in splits
        if splits != list(self.task.metadata.eval_splits) or is_also_learned_from:
            self.subsample["splits"] = splits
        if label != self.usual_label():
            self.subsample["label"] = label

    def assembled(self, value: ast.expr) -> bool:
        """True for a split put together of columns: `[{"sentence1": rows["a"], …}]`, or of chained lists."""
        if isinstance(value, ast.Call) and ast.unparse(value.func) in ("Dataset.from_dict", "datasets.Dataset.from_dict"):
            value = value.args[0]
        elif isinstance(value, ast.List) and len(value.elts) == 1:
            value = value.elts[0]
        else:
            return False
        if not isinstance(value, ast.Dict):
            return False
        for ours, found in zip(value.keys, value.values, strict=True):
            self.piece(ours.value, found)
        return True

    def piece(self, ours: str, found: ast.expr) -> None:
        if isinstance(found, ast.Name) and found.id in self.pieces:
            self.unfold = True
            self.rename(self.pieces[found.id], ours)
            return
        if isinstance(found, ast.Subscript) and ast.unparse(found.slice) == "0":
            self.unfold = True
            found = found.value
        if not isinstance(found, ast.Subscript) or not isinstance(found.slice, ast.Constant):
            raise Unknown(ast.unparse(found))
        self.rename(found.slice.value, ours)

    def rename(self, theirs: str, ours: str) -> None:
        if theirs == ours:
            return
        source = self.columns.pop(theirs, theirs)
        self.columns[ours] = source
        if theirs in self.keep:
            self.keep[ours] = self.keep.pop(theirs)

    @staticmethod
    def chained(call: ast.Call) -> str | None:
        """`list(itertools.chain.from_iterable(rows["labels"]))`: the column whose lists become rows."""
        text = ast.unparse(call)
        if not text.startswith(("list(itertools.chain.from_iterable(", "list(chain.from_iterable(")):
            return None
        inner = call.args[0].args[0]
        return inner.slice.value if isinstance(inner, ast.Subscript) else None

    @staticmethod
    def cell(node: ast.expr) -> str | None:
        """`x["label"]`: the column."""
        is_cell = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        return node.slice.value if is_cell else None

    def constant(self, node: ast.expr):
        """The value of a literal, of a name of the module, or of the splits that are scored."""
        if ast.unparse(node) == "self.metadata.eval_splits":
            return list(self.task.metadata.eval_splits)
        if isinstance(node, ast.Name):
            known = self.locals if node.id in self.locals else self.around
            if node.id in known and isinstance(known[node.id], (str, int, float, list, tuple, dict)):
                return known[node.id]
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise Unknown(ast.unparse(node)) from None

    @staticmethod
    def is_check(call: ast.Call) -> bool:
        return ast.unparse(call.func) in ("_check_label_distribution", "logger.info", "logger.warning", "self.dataset.pop")

    @staticmethod
    def is_data(node: ast.expr) -> bool:
        """Something that a loop over all splits or subsets goes over."""
        known = ("self.dataset", "self.hf_subsets", "self.metadata.eval_splits", "self.dataset[lang]", "self.dataset.items()")
        return ast.unparse(node) in known

    @staticmethod
    def is_dataset(node: ast.expr) -> bool:
        """`self.dataset`, or one split or subset of it by a running name."""
        while isinstance(node, ast.Subscript):
            if not isinstance(node.slice, ast.Name) and ast.unparse(node.slice) != "self.metadata.eval_splits[0]":
                return False
            node = node.value
        return ast.unparse(node) == "self.dataset"

    def is_rows(self, node: ast.expr) -> bool:
        """Rows of the dataset, after steps or before any."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        return ast.unparse(node) in SAME or self.is_dataset(node)
