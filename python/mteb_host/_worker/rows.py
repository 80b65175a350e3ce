"""What a model gave for texts, as buffers of numbers: rows of one width, sparse rows, several vectors a text."""

import array
import operator

from .frames import FAILED, Refused


class Numbers:
    """What a model gave: `values`, a buffer of 32-bit numbers, and their `shape`."""

    def __init__(self, values, count, what):
        if values is None:
            raise Refused(FAILED, f"expected {what} as an array of numbers, found None")
        try:
            self.values, self.shape = self.plain(values) if isinstance(values, list) else self.of_array(values)
        except (ImportError, TypeError, ValueError, OverflowError, AttributeError) as error:
            found = type(values).__name__
            raise Refused(FAILED, f"expected {what} as an array of numbers, found {found}: {error}") from None
        if self.shape[:1] != (count,):
            raise Refused(FAILED, f"expected {what} for {count} text{'' if count == 1 else 's'}, found an array of shape {self.shape}")

    @classmethod
    def plain(cls, values):
        """A list of numbers, of lists of numbers, or of arrays."""
        if values and not isinstance(values[0], (list, tuple, int, float)):
            import numpy

            # An array of arrays would have what lies behind their masks.
            values = [real(value) for value in values]
            if hasattr(values[0], "detach"):
                values = [of_tensor(value) for value in values]
            return cls.of_array(numpy.asarray(values))
        if not values or isinstance(values[0], (int, float)):
            return array.array("f", values), (len(values),)
        widths = {len(row) for row in values}
        if len(widths) != 1:
            first, other = sorted(widths)[:2]
            raise ValueError(f"rows of {len(widths)} lengths, such as {first} and {other}")
        return array.array("f", [value for row in values for value in row]), (len(values), widths.pop())

    @staticmethod
    def of_array(values):
        """An array of numpy, a tensor, or what numpy takes for one."""
        import numpy

        if hasattr(values, "detach"):
            values = of_tensor(real(values))
        # A number beyond these is infinite, which the host refuses; numpy would say so first.
        with numpy.errstate(over="ignore", invalid="ignore"):
            found = numpy.ascontiguousarray(real(values), dtype="<f4")
        return found, found.shape


def of_tensor(tensor):
    """The numbers of a tensor, also of a view that only notes that they are negative."""
    found = tensor.detach().float().cpu()
    return (found.resolve_neg() if hasattr(found, "resolve_neg") else found).numpy()


def real(values):
    """The same values, unless a conversion to real numbers would lose or make up something."""
    import numpy

    if hasattr(values, "detach"):
        if not hasattr(values, "is_complex"):
            raise TypeError("expected a tensor, found an object with `detach` that is none")
        kind = "c" if values.is_complex() else "f"
        found = values.dtype
    else:
        if numpy.ma.is_masked(values):
            raise TypeError("expected numbers, found a masked array with values behind its mask")
        if not hasattr(values, "dtype"):
            values = numpy.asarray(values)
        found = values.dtype
        kind = "V" if found.names else found.kind.replace("V", "f")
        if kind == "O":
            # A conversion would take nothing for no number, and read numbers in texts.
            for value in numpy.asarray(values).flat:
                number(value)
    if kind not in "fiubO":
        found = "texts" if kind in "US" else f"values of the type {found}"
        raise TypeError(f"expected real numbers, found {found}")
    return values


def number(value):
    """The same value, unless it is none that stands for a number: a text, nothing, or what lies behind a mask."""
    if isinstance(value, (int, float)):
        return value
    is_number = hasattr(value, "__float__") or hasattr(value, "__index__")
    if not is_number or type(value).__name__ == "MaskedConstant":
        raise TypeError(f"expected numbers, found {value!r:.40}")
    return value


def place(value, dimension):
    """The place of a weight in a sparse row: a whole number, which JSON has as a text."""
    found = int(value) if isinstance(value, str) else operator.index(value) if hasattr(value, "__index__") else value
    if int(found) != found or not 0 <= found < dimension:
        raise ValueError(f"expected integer indices from 0 to {dimension - 1}, found {value!r:.40}")
    return int(found)


def sparse_row(row, dimension):
    """The places and weights of a row, by place; a weight of zero is left out."""
    found = {}
    for given, weight in row.items():
        at = place(given, dimension)
        if at in found:
            raise ValueError(f"expected each index once, found {at} twice")
        found[at] = float(number(weight))
    return sorted((at, weight) for at, weight in found.items() if weight)


class SparseRows:
    """Of each row the numbers that are not zero: their counts `lengths`, then `values` and `places` of all rows."""

    def __init__(self, given, count, dimension):
        if isinstance(given, (list, tuple)) and all(isinstance(row, dict) for row in given):
            try:
                rows = [sparse_row(row, dimension) for row in given]
            except (OverflowError, TypeError, ValueError) as error:
                raise Refused(FAILED, f"expected sparse rows, found a dictionary: {error}") from None
            self.lengths = [len(row) for row in rows]
            self.values = array.array("f", [value for row in rows for _, value in row])
            self.places = array.array("I", [at for row in rows for at, _ in row])
            shape = (len(rows), dimension)
        else:
            self.lengths, self.values, self.places, shape = self.of_matrix(given)
        if shape != (count, dimension):
            raise Refused(FAILED, f"expected sparse rows of the shape {(count, dimension)}, found {shape}")

    @staticmethod
    def of_matrix(given):
        """A sparse tensor of torch, a sparse matrix of scipy, or what numpy takes for a matrix."""
        import numpy

        try:
            if hasattr(given, "detach"):
                given = real(given).detach().cpu()
                coo = (given if given.layout is not None and given.is_sparse else given.to_sparse()).coalesce()
                (rows, places), values, shape = coo.indices().numpy(), coo.values().float().numpy(), tuple(coo.shape)
            elif hasattr(given, "tocsr"):
                csr = real(given).tocsr(copy=True)
                csr.sum_duplicates()
                rows = numpy.repeat(numpy.arange(csr.shape[0]), numpy.diff(csr.indptr))
                places, values, shape = csr.indices, csr.data, csr.shape
            else:
                dense = numpy.asarray(real(given), dtype="<f4")
                rows, places = numpy.nonzero(dense)
                values, shape = dense[rows, places], dense.shape
        except (ImportError, TypeError, ValueError, IndexError) as error:
            raise Refused(FAILED, f"expected sparse rows, found {type(given).__name__}: {error}") from None
        # Zeros that are written out would only take room.
        is_there = values != 0
        rows, places, values = rows[is_there], places[is_there], values[is_there]
        lengths = numpy.bincount(rows, minlength=shape[0]).tolist()
        values, places = (numpy.ascontiguousarray(part, dtype=kind) for part, kind in ((values, "<f4"), (places, "<u4")))
        return lengths, values, places, tuple(shape)

    def parts(self):
        return self.values, self.places


class MultiVectors:
    """Several vectors a text: their counts `lengths`, and the numbers of all."""

    def __init__(self, given, count, dimension):
        texts = [Numbers(vectors, len(vectors), "vectors") for vectors in given]
        shapes = {text.shape[1:] for text in texts if len(text.values)}
        if shapes - {(dimension,)}:
            found = ", ".join(sorted(str(shape) for shape in shapes))
            raise Refused(FAILED, f"expected vectors of {dimension} numbers, found vectors of the shape {found}")
        if len(texts) != count:
            raise Refused(FAILED, f"expected vectors for {count} text{'' if count == 1 else 's'}, found them for {len(texts)}")
        self.lengths, self.texts = [text.shape[0] for text in texts], texts

    def parts(self):
        return [text.values for text in self.texts]
