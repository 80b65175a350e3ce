"""Where the tasks of a call are: registries of the caller's own, and cards for splits that the known cards do not score."""

from __future__ import annotations

import contextlib
import re
import tempfile
from pathlib import Path
from typing import Any, Generator, Sequence, cast

from ._binary import DONE, USAGE, MtebHostError, ask, start
from ._options import errors_of, options_of

# `NAME@SPLIT`, optionally with subsets.
_WITH_SPLIT = re.compile(r"(?P<name>[^@:]+)@(?P<split>[^@:]+)(?P<subsets>:.*)?")
# The splits that a card scores, and the tables of scores that are known for them.
_SPLITS = re.compile(r"^eval_splits = \[[^\]]*\]", re.MULTILINE)
_EXPECTED = re.compile(r"^\[expected\b.*?(?=^\[(?!expected\b)|\Z)", re.MULTILINE | re.DOTALL)
# The name of a registry, which is known without its file.
_NAME = re.compile(r"[\w-]+")
# What the program says of a name that is in no registry that it has read.
_UNKNOWN = re.compile(r"expected the name of a task, found: (?P<name>.+?) \(`mteb-host list tasks` shows all\); .*")
# What the program says of a card that stands in for one of its own, which is what was asked for here.
_OF_OTHERS = ("this card is used, but a task that comes with mteb-host", "which the card does not have; `leaderboard` counts them unless")


class Placed:
    """The tasks of a call as the program takes them: `names`, the registries in which they are, and what it need not say about them."""

    def __init__(self, names: list[str] | None, registry: Any, hushed: tuple[str, ...] = ()) -> None:
        self.names, self.registry, self.hushed = names, registry, hushed


@contextlib.contextmanager
def placed(tasks: Any, names: list[str] | None, asked: dict[str, Any]) -> Generator[Placed, None, None]:
    """Finds the tasks of a call. Its cards of other splits exist until the call ends.

    Args:
        tasks: The tasks as the caller gave them.
        names: Their names.
        asked: The options of the call, of which `registry` and `plugin_dir` count.

    Raises:
        MtebHostError: If the card is the caller's own, or can have no other splits.
    """
    registry = asked.get("registry") or _own_registries(tasks, names, asked)
    wanted = _splits_of(names or [])
    rows = _listed(list(wanted), registry, asked) if wanted and not asked.get("benchmark") else []
    others = {row["name"]: row for row in rows if set(wanted.get(row["name"], ())) - set(row["splits"] or ())}
    if not others:
        yield Placed(names, registry)
        return
    with tempfile.TemporaryDirectory(prefix="mteb-host-cards-") as folder:
        cards = [_write_card(Path(folder), row, wanted[name]) for name, row in others.items()]
        rest = [name for name in names or [] if _bare(name) not in others]
        known = _several(registry) if registry else sorted({row["registry"] for row in _listed([_bare(name) for name in rest], None, asked)})
        yield Placed(names, [*cards, *(known if rest else [])], _OF_OTHERS)


def explained(error: MtebHostError, asked: dict[str, Any]) -> MtebHostError:
    """The error, with what to do about a task that only other registries than the given ones have."""
    found = _UNKNOWN.fullmatch(str(error))
    registry = asked.get("registry")
    if found is None or not registry or not _listed([found["name"]], None, asked):
        return error
    shown = ", ".join(str(place) for place in _several(registry))
    return MtebHostError(f"expected a task of the registry {shown}, found: {found['name']}; leave out `registry`", error.exit_code)


def check_tasks(tasks: Any, names: list[str] | None, asked: dict[str, Any]) -> None:
    """Refuses names that no task has.

    Raises:
        MtebHostError: With the program's message.
    """
    with placed(tasks, names, asked) as places:
        given = {"task": places.names, "registry": places.registry, "benchmark": asked.get("benchmark"), "plugin_dir": asked.get("plugin_dir")}
        code, _, said = ask(["list", "tasks", "--json", *options_of(given)], quiet=True)
    if code != DONE:
        raise explained(MtebHostError(errors_of(said), code), asked)


def _own_registries(tasks: Any, names: list[str] | None, asked: dict[str, Any]) -> Any:
    """Files and addresses of registries from which the caller has tasks, and the registries of the other tasks; None if there are none."""
    items = cast("Sequence[Any]", tasks if isinstance(tasks, Sequence) and not isinstance(tasks, str) else [tasks])
    places = [getattr(item, "registry", None) if hasattr(item, "selection") else None for item in items]
    own = [place for place in places if isinstance(place, str) and not _NAME.fullmatch(place)]
    if not own:
        return None
    others = [_bare(name) for name, place in zip(names or [], places) if place not in own]
    return list(dict.fromkeys([*own, *sorted({row["registry"] for row in _listed(others, None, asked)})]))


def _splits_of(names: Sequence[str]) -> dict[str, list[str]]:
    """The splits that are asked for, by name of the task."""
    found: dict[str, list[str]] = {}
    for name in names:
        parts = _WITH_SPLIT.fullmatch(name)
        if parts:
            found.setdefault(parts["name"], []).append(parts["split"])
    return {name: list(dict.fromkeys(splits)) for name, splits in found.items()}


def _write_card(folder: Path, row: dict[str, Any], splits: list[str]) -> str:
    """A card like that of the task, with these splits."""
    name, written = row["name"], ", ".join(f'"{split}"' for split in splits)
    refused = f"expected a split of {name} that its card lists ({', '.join(row['splits'])}), found: {', '.join(splits)}"
    if not _NAME.fullmatch(row["registry"]):
        raise MtebHostError(f"{refused}; write `eval_splits = [{written}]` in {row['registry']}", USAGE)
    code, card, said = start(["show", "task", name, *options_of({"registry": row["registry"]})], quiet=True)
    if code != DONE:
        raise MtebHostError(errors_of(said), code)
    card = _SPLITS.sub(lambda _: f"eval_splits = [{written}]", _EXPECTED.sub("", card), count=1)
    file = folder / f"{name}.toml"
    file.write_text(card, encoding="utf-8")
    if not _listed([name], str(file), {}):
        # Such as one with sizes of its splits, whose data has no others.
        raise MtebHostError(refused, USAGE)
    return str(file)


def _listed(names: list[str], registry: Any, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What the program lists of these tasks; nothing if it does not know one of them."""
    if not names:
        return []
    options = options_of({"task": names, "registry": registry, "plugin_dir": asked.get("plugin_dir")})
    code, rows, _ = ask(["list", "tasks", "--json", *options], quiet=True)
    return cast("list[dict[str, Any]]", rows) if code == DONE and rows is not None else []


def _bare(name: str) -> str:
    """The name of a task without its split and subsets."""
    return re.split("[@:]", name, maxsplit=1)[0]


def _several(found: Any) -> list[Any]:
    return list(cast("Sequence[Any]", found)) if isinstance(found, (list, tuple)) else [found]
