"""The rule by which the host picks what it puts before a text (protocol 3.4), and what a card must say for it to give known strings."""

from collections import Counter

from mteb.abstasks import abstask
from toml_text import Table


def keys(task, role: str | None) -> list:
    name, kind = task.metadata.name, task.kind
    return [f"{name}-{role}", name, f"{kind}-{role}", kind, role] if role else [name, kind]


def before(prompts: dict, task, role: str | None) -> str:
    """What the host puts before a text of a role."""
    whole, named = prompts.get("whole", {}), prompts.get("named", {})
    names = keys(task, role)
    for name in names:
        if name in whole:
            return whole[name]
    template = prompts.get("instruction_template")
    if template is None:
        others = ["passage", "corpus"] if role == "document" else []
        default = prompts.get("default")
        found = [named[name] for name in (*names, *others) if name in named]
        return found[0] if found else named.get(default, "") if default else ""
    if role == "document" and not prompts.get("instruct_documents"):
        return ""
    text = instruction(named, names, task, role)
    return template.replace("{instruction}", text) if text else prompts.get("empty_instruction", "")


def instruction(named: dict, names: list, task, role: str | None) -> str:
    for name in names:
        if name in named:
            return named[name]
    prompt = task.metadata.prompt
    if isinstance(prompt, dict):
        return prompt.get(role) or ""
    return prompt or abstask.get_abstask_prompt(task.metadata.name)


def mended(prompts: dict, strings: dict) -> dict:
    """The same prompts, with what they need to give `strings`."""
    prompts = dict(prompts)
    if prompts.get("instruction_template"):
        empty = {text for (task, role), text in strings.items() if is_empty(prompts, task, role)}
        if len(empty) == 1 and empty != {""}:
            prompts["empty_instruction"] = empty.pop()
    whole = dict(exceptions(prompts, strings))
    if not whole:
        return prompts
    named = prompts.pop("named", None)
    return prompts | {"whole": Table(whole)} | ({"named": named} if named else {})


def is_empty(prompts: dict, task, role: str | None) -> bool:
    if role == "document" and not prompts.get("instruct_documents"):
        return False
    return not instruction(prompts.get("named", {}), keys(task, role), task, role)


def exceptions(prompts: dict, strings: dict):
    """Strings that the rule does not give: for a role or a type that which most of its texts get, for tasks those of the others."""
    for role in (None, "query", "document"):
        texts = {task: text for (task, other), text in strings.items() if other == role}
        wrong = [task for task, text in texts.items() if before(prompts, task, role) != text]
        if role and wrong and others(texts) < len(wrong):
            yield from spread(role, texts, role)
            continue
        for kind in sorted({task.kind for task in wrong}):
            of_kind = {task: text for task, text in texts.items() if task.kind == kind}
            of_wrong = [task for task in wrong if task.kind == kind]
            if role and others(of_kind) < len(of_wrong):
                yield from spread(f"{kind}-{role}", of_kind, role)
            elif not role and len({text for (task, _), text in strings.items() if task.kind == kind}) == 1:
                yield kind, texts[of_wrong[0]]
            else:
                yield from ((own_key(task, role), texts[task]) for task in of_wrong)


def others(texts: dict) -> int:
    """How many texts get another string than most."""
    return len(texts) - Counter(texts.values()).most_common(1)[0][1]


def spread(name: str, texts: dict, role: str):
    most = Counter(texts.values()).most_common(1)[0][0]
    yield name, most
    yield from ((own_key(task, role), text) for task, text in texts.items() if text != most)


def own_key(task, role: str | None) -> str:
    return f"{task.metadata.name}-{role}" if role else task.metadata.name
