"""Which of the known similarities a model compares by: what it says, or what its own function gives for a few rows."""

from .frames import INVALID_INPUT, Refused

KNOWN = ("cosine", "dot", "euclidean", "manhattan")

# Rows that the known similarities order and measure differently.
ROWS = ([1.0, 2.0, 0.5, -1.0], [0.25, -1.5, 2.0, 3.0])
OTHERS = ([2.0, 0.5, 1.0, 0.0], [-1.0, 4.0, 0.5, 2.0], [3.0, 6.0, 1.5, -3.0])


def similarity_of(model):
    """The name of the similarity; None where the model says nothing of it."""
    said = getattr(model, "similarity_fn_name", None) or getattr(getattr(model, "mteb_model_meta", None), "similarity_fn_name", None)
    said = getattr(said, "value", said)
    if said is not None:
        # Others are of models whose form says it, as MaxSim.
        return said if said in KNOWN else None
    found = getattr(model, "similarity", None)
    return recognized(found) if callable(found) else found


def recognized(function):
    """The name of the known similarity that `function` computes."""
    given = computed(function)
    for name in KNOWN:
        if all(abs(measure(name, row, other) - given[i][j]) < 1e-4 for i, row in enumerate(ROWS) for j, other in enumerate(OTHERS)):
            return name
    raise Refused(
        INVALID_INPUT,
        f"expected `similarity` to compute one of {', '.join(KNOWN)}, found another function; omit it, or give one of these names",
    )


def computed(function):
    """What the function gives for the rows, as numbers."""
    try:
        given = function(*rows_for(function))
        given = given.tolist() if hasattr(given, "tolist") else given
        return [[float(given[i][j]) for j in range(len(OTHERS))] for i in range(len(ROWS))]
    except Exception as error:
        raise Refused(INVALID_INPUT, f"expected `similarity` to compare rows with rows, found that it raises {type(error).__name__}: {error}") from None


def rows_for(function):
    """The rows in the form that a function takes: tensors, else arrays, else lists."""
    try:
        import torch

        rows = torch.tensor(ROWS), torch.tensor(OTHERS)
        function(*rows)
        return rows
    except (ImportError, TypeError, ValueError, AttributeError):
        pass
    try:
        import numpy

        return numpy.array(ROWS), numpy.array(OTHERS)
    except ImportError:
        return [list(row) for row in ROWS], [list(row) for row in OTHERS]


def measure(name, one, other):
    pairs = list(zip(one, other))
    if name == "euclidean":
        return -(sum((a - b) ** 2 for a, b in pairs) ** 0.5)
    if name == "manhattan":
        return -sum(abs(a - b) for a, b in pairs)
    dot = sum(a * b for a, b in pairs)
    if name == "dot":
        return dot
    return dot / (sum(a * a for a in one) ** 0.5 * sum(b * b for b in other) ** 0.5)
