"""Takes what a CPU run of libtorch needs from the wheels in a folder, or from a folder in which their packages are installed.

usage: unpack.py WHEEL_DIR|SITE_PACKAGES OUT_DIR PROCESSOR
"""

import base64
import csv
import hashlib
import os
import shutil
import sys
import zipfile

WANTED = {
    "torch/lib/libtorch.so",
    "torch/lib/libtorch_cpu.so",
    "torch/lib/libc10.so",
    "torch/lib/libgomp.so.1",
    "nvidia/cu13/lib/libcupti.so.13",
    "nvidia/cu13/lib/libcudart.so.13",
}

# What libtorch multiplies matrices with on ARM64; on x86-64 that is inside it.
OF_ARM = {
    "torch/lib/libarm_compute.so",
    "torch/lib/libarm_compute_graph.so",
    "torch/lib/libnvpl_blas_core.so.0",
    "torch/lib/libnvpl_blas_lp64_gomp.so.0",
    "torch/lib/libnvpl_lapack_core.so.0",
    "torch/lib/libnvpl_lapack_lp64_gomp.so.0",
}


def wanted(name):
    return name in WANTED or (name.startswith("torch/include/") and not name.endswith("/"))


def of_wheels(wheels, out):
    """Unpacks what is wanted; gives the names."""
    for wheel in sorted(os.listdir(wheels)):
        if not wheel.endswith(".whl"):
            continue
        with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
            for name in filter(wanted, archive.namelist()):
                archive.extract(name, out)
                yield name


def of_packages(packages, out):
    """Links or copies what is wanted and still what its wheel, which was checked by hash, brought; gives the names."""
    recorded = {name: found for name, found in records(packages) if wanted(name)}
    for name in sorted(recorded):
        path = os.path.join(packages, name)
        if os.path.exists(path):
            if hash_of(path) != recorded[name]:
                sys.exit(f"{path}: expected the SHA-256 of its wheel, found another; remove the environment and make it again")
            yield take(packages, out, name)


def records(packages):
    """The files of all packages with their hashes, as their lists have them."""
    for folder in sorted(os.listdir(packages)):
        path = os.path.join(packages, folder, "RECORD")
        if folder.endswith(".dist-info") and os.path.exists(path):
            with open(path, newline="") as file:
                yield from ((row[0], row[1]) for row in csv.reader(file) if len(row) > 1 and row[1])


def hash_of(path):
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def take(packages, out, name):
    source, target = os.path.join(packages, name), os.path.join(out, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.lexists(target):
        os.remove(target)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return name


def main(source, out, processor):
    if processor == "aarch64":
        WANTED.update(OF_ARM)
    is_installed = os.path.isdir(os.path.join(source, "torch"))
    found = set((of_packages if is_installed else of_wheels)(source, out))
    missing = sorted(WANTED - found)
    if missing:
        sys.exit("expected in the wheels of torch, found none: " + ", ".join(missing))


main(*sys.argv[1:])
