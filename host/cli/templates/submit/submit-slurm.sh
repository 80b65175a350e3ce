#!/usr/bin/env bash
# Submits the shards, and a merge that waits for all of them. To run it again is harmless: shards that are done end at once.
set -eu
cd -- "$(dirname -- "$0")"
shards=$(sbatch --parsable shards.sbatch)
# On several clusters the name of the cluster follows.
shards=${shards%%;*}
merge=$(sbatch --parsable --dependency=afterany:"$shards" merge.sbatch)
echo "submitted: shards as job $shards, merge as job ${merge%%;*}"
