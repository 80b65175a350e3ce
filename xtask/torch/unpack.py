"""Takes what a CPU run of libtorch needs from the wheels in a folder, or from a folder in which their packages are installed.

usage: unpack.py WHEEL_DIR|SITE_PACKAGES OUT_DIR
"""

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
    """Links or copies what is wanted; gives the names."""
    for folder, _, files in os.walk(os.path.join(packages, "torch/include")):
        yield from (take(packages, out, os.path.relpath(os.path.join(folder, file), packages)) for file in files)
    yield from (take(packages, out, name) for name in sorted(WANTED) if os.path.exists(os.path.join(packages, name)))


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


def main(source, out):
    is_installed = os.path.isdir(os.path.join(source, "torch"))
    found = set((of_packages if is_installed else of_wheels)(source, out))
    missing = sorted(WANTED - found)
    if missing:
        sys.exit("expected in the wheels of torch, found none: " + ", ".join(missing))


main(sys.argv[1], sys.argv[2])
