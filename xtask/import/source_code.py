"""The code by which a task of the reference loads its data or changes its rows, as syntax trees."""

import ast
import inspect
import sys
import textwrap

import reference

METHODS = ("load_data", "dataset_transform", "_evaluate_subset", "_load_corpus", "_load_queries", "_load_qrels")


def overridden(task) -> list:
    """The names of the methods of the task's own that decide which rows are scored, and how."""
    members = reference.own_members(task)
    return [name for name in METHODS if name in members]


def tree(function) -> ast.FunctionDef:
    return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]


def statements(function) -> list:
    """The statements of a function without what it says of itself."""
    is_text = lambda node: isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return [node for node in tree(function).body if not is_text(node)]


def names_around(task) -> dict:
    """The names that the task's code sees: those of its modules."""
    found = {}
    for owner in reversed(type(task).__mro__):
        if owner.__module__.startswith("mteb.tasks"):
            found.update(vars(sys.modules[owner.__module__]))
    return found


def with_helpers(task, function) -> str:
    """The source of a function and of the functions of its own module that it calls, for a look at what they do."""
    around, members = names_around(task), reference.own_members(task)
    sources, wanted, seen = [], [function], set()
    while wanted:
        current = wanted.pop()
        if current in seen or not inspect.isfunction(current):
            continue
        seen.add(current)
        node = tree(current)
        sources.append(ast.unparse(node))
        for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
            called = getattr(call.func, "attr", getattr(call.func, "id", ""))
            helper = members.get(called) or around.get(called)
            if getattr(helper, "__module__", "").startswith("mteb.tasks"):
                wanted.append(helper)
    return "\n".join(sources)
