"""Runs a notebook in a kernel of its own: notebook.py FILE.ipynb, which gets its outputs.

A cell with the tag `interrupt` is interrupted, as by the button of a notebook, once it has made the file `asked`."""

import asyncio
import os
import sys

import nbformat
from nbclient import NotebookClient

path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)


async def interrupt():
    while not os.path.exists("asked"):
        await asyncio.sleep(0.05)
    await client.km.interrupt_kernel()


async def begin(cell, **_):
    if "interrupt" in cell.metadata.get("tags", []):
        begun.append(asyncio.ensure_future(interrupt()))


begun = []
client = NotebookClient(notebook, timeout=120, kernel_name="python3", on_cell_execute=begin)
client.execute()
nbformat.write(notebook, path)
