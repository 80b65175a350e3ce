"""Scores the shards of a plan on a Ray cluster, then merges them. Written by `mteb-host submit ray`; change it as you like.

The plan, the shards and the results lie in a folder that all nodes share. To run it again is harmless: shards that are done end at
once.
"""

import os
import subprocess
import sys

import ray

# None: the cluster that RAY_ADDRESS or `ray start` names; where there is none, one on this machine.
ADDRESS = {{address}}
FOLDER = {{folder}}
HOST = {{host}}
PLAN = {{plan}}
SHARDS = {{shards}}
RUN_OPTIONS = {{run_options}}
MERGE_OPTIONS = {{merge_options}}
LOGS = {{logs}}
ENVIRONMENT = {{environment}}
# What Ray keeps free for a shard; `memory` counts bytes.
RESOURCES = {{resources}}
RETRIES = {{retries}}


class Lost(Exception):
    """The program of a shard was ended from outside, as by want of memory."""


def environment():
    threads = str(max(1, int(RESOURCES["num_cpus"])))
    return {"RAYON_NUM_THREADS": threads, **os.environ, **ENVIRONMENT}


@ray.remote(max_retries=RETRIES, retry_exceptions=[Lost], **RESOURCES)
def run_shard(shard):
    os.makedirs(LOGS, exist_ok=True)
    command = [*HOST, "run", "--plan", PLAN, "--shard", str(shard), *RUN_OPTIONS]
    with open(os.path.join(LOGS, f"shard-{shard}.log"), "ab") as log:
        code = subprocess.run(
            command, cwd=FOLDER, env=environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        ).returncode
    if code < 0:
        raise Lost(f"signal {-code} ended it")
    return code


@ray.remote(num_cpus=1, max_retries=RETRIES)
def merge():
    command = [*HOST, "merge", PLAN, *MERGE_OPTIONS]
    done = subprocess.run(
        command,
        cwd=FOLDER,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def main():
    ray.init(address=ADDRESS)
    waiting = {run_shard.options(name=f"shard {shard}").remote(shard): shard for shard in SHARDS}
    while waiting:
        [ended], _ = ray.wait(list(waiting), num_returns=1)
        shard = waiting.pop(ended)
        try:
            said = f"ended with exit code {ray.get(ended)}"
        except ray.exceptions.RayError as error:
            said = f"failed: {str(error).strip().splitlines()[-1]}"
        print(f"shard {shard}: {said}; {len(waiting)} are left", flush=True)
    code, said = ray.get(merge.remote())
    print(said, end="", flush=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
