"""Compares every card of a model with what the reference's loader does, mends those that are imported, and writes the table of both.

`model-facts.tsv` has a line for each model: what its loader sets, and a verdict. `model-prompts.tsv` has what stands before texts, for a task
of each type and the roles of its texts. The tests of the host compare them with the cards that it reads.
"""

import json
from pathlib import Path

import prompt_rule
import reference
from loaded import FAILS, Around, Beyond, Loaded, Task
from toml_text import Table

HEAD = ("model", "loader", "verdict", "loading", "similarity", "detail")
PROMPTS_HEAD = ("model", "before", "types")
# Loaders of the reference's own whose models run here as well, and why they are not followed.
COMPARED = {
    "Qwen3RerankerWrapper": "a network of its own, asked without the library; the tests hold a made one to the wrapper's scores",
    "BGEReranker": "FlagEmbedding computes, in 16 bits; here its files are those of a cross-encoder",
    "Model2VecModel": "model2vec computes; here its files are those of static embeddings, of which the tests have a made one",
    "MultiVectorModel": "PyLate is told what no class of sentence-transformers takes",
}


class Found:
    """What the reference does with one model."""

    def __init__(self, meta, loader: str, facts: "Facts") -> None:
        self.meta, self.loader, self.facts = meta, loader, facts
        self.model = Loaded(meta)
        self.name = getattr(meta.loader, "__name__", type(meta.loader).__name__)
        self.failure, self.loading, self.beyond, self.similarity = self.model.failure, {}, None, ""
        self.raised, self.around, self.strings = 0, set(), {}
        if not self.failure:
            try:
                self.loading = self.model.loading(facts.chosen)
                self.similarity = self.model.similarity()
                self.strings = dict(self.asked())
            except (Beyond, Around) as error:
                self.beyond = str(error)
        elif loader not in ("api", "none", "sentence-transformers", "cross-encoder") and self.name not in COMPARED:
            self.beyond = f"code of its own (`{self.name}`)"
        elif loader in ("sentence-transformers", "cross-encoder"):
            self.beyond = "a loader that fails in the reference itself"

    def asked(self):
        """What stands before the texts of each task and role."""
        options = self.meta.loader_kwargs or {}
        named = {*(options.get("model_prompts") or {})}
        is_instructed = "instruction_template" in vars(self.model.model)
        for task in self.facts.tasks:
            is_asked = is_instructed or task in self.facts.chosen
            if is_asked or any(str(key).startswith(task.metadata.name) for key in named):
                for role in task.roles:
                    if self.model.inner.kind == "CrossEncoder" and role != "query":
                        continue
                    try:
                        yield (task, role), self.model.prompt(task, role)
                    except FAILS:
                        self.raised += 1
                    except Around as error:
                        self.around.add(f"{error} in {task.kind}")

    def mend(self, card: dict) -> None:
        """Adds to an imported card what the loader says and the card does not."""
        if self.beyond:
            card["loading"] = Table(beyond=f"the reference runs it with {self.beyond}")
        elif self.loading:
            card["loading"] = Table(self.loading)
        if self.similarity == "files":
            # How two embeddings are compared is then what the files say, whatever the registry has.
            card.pop("similarity", None)
        prompts = prompt_rule.mended(card.get("prompts") or {}, self.strings)
        if prompts:
            card["prompts"] = Table(prompts)

    def verdict(self, card: dict) -> tuple:
        """`equal`, `differs` with what does, `refused`, or why the loader was not followed."""
        loading = dict(card.get("loading") or {})
        if self.beyond:
            return ("refused" if "beyond" in loading else "differs"), self.beyond
        if self.failure:
            verdict = {"api": "api", "none": "none"}.get(self.loader, "not followed")
            return verdict, COMPARED.get(self.name, self.failure) if verdict == "not followed" else self.failure
        if loading != self.loading:
            return "differs", f"the card has {written(loading)}"
        prompts = card.get("prompts") or {}
        for (task, role), text in self.strings.items():
            rule = prompt_rule.before(prompts, task, role)
            if rule != text:
                return "differs", f"{task.metadata.name}, {role}: {json.dumps(rule, ensure_ascii=False)} instead of {json.dumps(text, ensure_ascii=False)}"
        if self.around:
            return "differs", "; ".join(sorted(self.around))
        return "equal", f"raises for {self.raised} texts" if self.raised else ""


class Facts:
    """The facts of all models so far."""

    def __init__(self, tasks: list) -> None:
        self.tasks = [Task(task) for task in tasks]
        first: dict = {}
        for task in self.tasks:
            # A prompt of the task's own tells more than the default of its type.
            known = first.get(task.kind)
            if known is None or (known.metadata.prompt is None and task.metadata.prompt is not None):
                first[task.kind] = task
        self.chosen = [first[name] for name in sorted(first)]

    def of(self, meta, loader: str) -> Found:
        return Found(meta, loader, self)

    def compared(self, found: Found, card: dict) -> tuple:
        """The line of a model, and those of its prompts."""
        verdict, detail = found.verdict(card)
        name, groups = found.meta.name, {}
        for task in self.chosen:
            for role in task.roles:
                if (task, role) in found.strings:
                    groups.setdefault(found.strings[task, role], []).append(f"{task.kind}-{role}" if role else task.kind)
        line = (name, found.name, verdict, written(found.loading), found.similarity, detail)
        return line, [(name, json.dumps(text, ensure_ascii=False), ",".join(types)) for text, types in sorted(groups.items())]

    def write(self, compared: list, output: Path) -> None:
        """Writes what `compared` gave for all models."""
        made = f"# made with mteb {reference.VERSION}"
        tasks = "; ".join(f"{task.kind}: {task.metadata.name}" for task in self.chosen)
        for name, head, heading, lines in (
            ("model-facts.tsv", [made], HEAD, [line for line, _ in compared]),
            ("model-prompts.tsv", [made, f"# {tasks}"], PROMPTS_HEAD, [line for _, lines in compared for line in lines]),
        ):
            rows = ["\t".join(plain(cell) for cell in line) for line in (heading, *lines)]
            (output / name).write_text("\n".join([*head, *rows]) + "\n")


def plain(cell: str) -> str:
    return cell.replace("\t", " ").replace("\n", " ")


def written(loading: dict) -> str:
    return json.dumps(dict(sorted(loading.items()))) if loading else ""
