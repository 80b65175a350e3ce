"""Unpacks from the wheels in a folder what a CPU run of libtorch needs.

usage: unpack.py WHEEL_DIR OUT_DIR
"""

import os
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


def main(wheels, out):
    found = set()
    for wheel in sorted(os.listdir(wheels)):
        if not wheel.endswith(".whl"):
            continue
        with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
            for name in filter(wanted, archive.namelist()):
                archive.extract(name, out)
                found.add(name)
    missing = sorted(WANTED - found)
    if missing:
        sys.exit("the wheels lack " + ", ".join(missing))


main(sys.argv[1], sys.argv[2])
