#!/usr/bin/env bash
# Scores the shards of a plan on this machine, then merges them. Written by `mteb-host submit local`; change it as you like. To run it
# again is harmless: shards that are done end at once.
cd -- {{folder}} || exit 1
{{exports}}host={{host}}
plan={{plan}}
logs={{logs}}
shards=({{shards}})
# One process a line: its GPU (`-`: none is set), its cores (`-`: any), its threads.
places=(
{{places}}
)

run_shard() {
  local shard=$1 gpu=$2 cores=$3 threads=$4
  local pinned=()
  [[ $gpu == - ]] || export CUDA_VISIBLE_DEVICES=$gpu
  [[ $threads == - ]] || export RAYON_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
  if [[ $cores != - ]] && command -v taskset >/dev/null; then pinned=(taskset --cpu-list "$cores"); fi
  "${pinned[@]}" "$host" run --plan "$plan" --shard "$shard"{{run_options}} >>"$logs/shard-$shard.log" 2>&1 </dev/null 9>&-
}

mkdir -p "$logs" || exit 1
# A pipe holds the places that are free.
pipe=$(mktemp -d) && mkfifo "$pipe/free" && exec 9<>"$pipe/free" && rm -r "$pipe" || exit 1
printf '%s\n' "${places[@]}" >&9

# Each shard is a group of processes of its own, so that an interruption reaches it.
set -m
trap 'trap "" INT TERM HUP; for job in $(jobs -p); do kill -TERM -- "-$job" 2>/dev/null; done; wait; exit 130' INT TERM HUP
for shard in "${shards[@]}"; do
  read -r place <&9
  (
    trap : INT TERM HUP
    if run_shard "$shard" $place; then
      echo "shard $shard: done"
    else
      echo "shard $shard: failed with exit code $?; its log is $logs/shard-$shard.log"
    fi
    printf '%s\n' "$place" >&9
  ) &
done
wait
exec "$host" merge "$plan" --output-folder {{results}}{{merge_options}}
