//! What a Python model may give in the place of numbers: it is refused with what was found, and nothing is read into it.

use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, python, root};

/// A line for each attempt: its name, and what is said of it or the numbers that are taken.
const TRIES: &str = r#"
import decimal, sys
import numpy, scipy.sparse
sys.path.insert(0, sys.argv[1])
from mteb_host._worker.frames import Refused
from mteb_host._worker.rows import MultiVectors, Numbers, SparseRows

masked = numpy.ma.masked_array([1.0, 2.0], mask=[False, True])
unmasked = numpy.ma.masked_array([1.0, 2.0])
def rows(given): return list(numpy.asarray(Numbers(given, len(given), "rows").values).ravel())
def sparse(given): made = SparseRows(given, len(given), 10); return list(made.places), list(made.values)
def vectors(given): return [list(numpy.asarray(part).ravel()) for part in MultiVectors(given, len(given), 2).parts()]
for name, call, given in [
    ("masked rows in a list", rows, [masked, masked]),
    ("a masked row behind another", rows, [numpy.array([1.0, 2.0]), masked]),
    ("masked vectors", vectors, [[masked]]),
    ("masked arrays without a mask", rows, [unmasked, unmasked]),
    ("nothing among objects", rows, numpy.array([[1.0, None]], dtype=object)),
    ("texts among objects", rows, numpy.array([[1.0, "2.5"]], dtype=object)),
    ("texts", rows, [["1.0", "2.0"]]),
    ("decimals", rows, numpy.array([[decimal.Decimal("1.5"), 2]], dtype=object)),
    ("a fractional place", sparse, [{1.7: 2.0}]),
    ("a place beyond the end", sparse, [{10: 2.0}]),
    ("a place before the begin", sparse, [{-1: 2.0}]),
    ("a place twice", sparse, [{1: 2.0, "1": 3.0}]),
    ("no weight", sparse, [{1: None}]),
    ("a text as a weight", sparse, [{1: "0.5"}]),
    ("a masked weight", sparse, [{1: numpy.ma.masked}]),
    ("a place that is a number of numpy", sparse, [{numpy.int64(3): numpy.float32(0.5), 1.0: 1}]),
    ("a place that JSON wrote", sparse, [{"3": 0.5, "1": 0}]),
    ("a matrix", sparse, scipy.sparse.csr_matrix(numpy.eye(2, 10))),
]:
    if name == "a matrix":
        made = SparseRows(given, 2, 10)
        said = (made.places.tolist(), made.values.tolist())
    else:
        try:
            said = call(given)
        except Refused as error:
            said = error
    print(f"{name}: {said}")
"#;

#[test]
fn what_is_no_number_is_refused_by_name() {
    let Some(python) = python() else { return };
    let modules = root().join("python");
    let run = said(&python, &modules);
    for (what, expected) in [
        ("masked rows in a list", "found a masked array with values behind its mask"),
        ("a masked row behind another", "found a masked array with values behind its mask"),
        ("masked vectors", "found a masked array with values behind its mask"),
        ("masked arrays without a mask", "1.0"),
        ("nothing among objects", "expected numbers, found None"),
        ("texts among objects", "expected numbers, found '2.5'"),
        ("texts", "expected rows as an array of numbers"),
        ("decimals", "1.5"),
        ("a fractional place", "expected integer indices from 0 to 9, found 1.7"),
        ("a place beyond the end", "expected integer indices from 0 to 9, found 10"),
        ("a place before the begin", "expected integer indices from 0 to 9, found -1"),
        ("a place twice", "expected each index once, found 1 twice"),
        ("no weight", "expected numbers, found None"),
        ("a text as a weight", "expected numbers, found '0.5'"),
        ("a masked weight", "expected numbers, found masked"),
        ("a place that is a number of numpy", "([1, 3], [1.0, 0.5])"),
        ("a place that JSON wrote", "([3], [0.5])"),
        ("a matrix", "([0, 1], [1.0, 1.0])"),
    ] {
        let line = run.lines().find(|line| line.starts_with(&format!("{what}: ")));
        assert!(line.is_some_and(|line| line.contains(expected)), "{what}: {run}");
    }
}

fn said(python: &Path, modules: &Path) -> String {
    let mut command = Command::new(python);
    let run = Run::of(command.env("PYTHONDONTWRITEBYTECODE", "1").args(["-c", TRIES]).arg(modules)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}
