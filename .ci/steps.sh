# What .ci/run and .ci/nightly share: the place, a home for caches, and steps. To be sourced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
logs=$(mktemp -d)
# npm, pip and Chromium keep their caches at home.
if [ ! -w "${HOME:-/nowhere}" ]; then
  mkdir "$logs/home"
  export HOME=$logs/home
fi

jobs=()
finish() {
  for job in "${jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done
  rm -rf "$logs"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# step <what it proves> <command…>: prints as it goes.
step() {
  local began=$SECONDS
  printf '\n=== %s\n' "$1"
  "${@:2}"
  printf -- '--- %s s, at %s s\n' $((SECONDS - began)) $SECONDS
}

# A step that prints all at once, when it is done.
quietly() {
  local log status=0 began=$SECONDS
  log=$(mktemp "$logs/XXXXXX")
  "${@:2}" >"$log" 2>&1 || status=$?
  {
    flock 9
    printf '\n=== %s\n' "$1"
    cat "$log"
    if [ "$status" -eq 0 ]; then printf -- '--- %s s, at %s s\n' $((SECONDS - began)) $SECONDS; else printf -- '--- failed: exit status %s\n' "$status"; fi
  } 9>"$logs/lock"
  return "$status"
}

# beside <what it proves> <command…>: at most two such steps at a time, each in a process group of its own.
running=0
beside() {
  if [ "$running" -ge 2 ]; then
    wait -n
    running=$((running - 1))
  fi
  set -m
  quietly "$@" &
  jobs+=($!)
  set +m
  running=$((running + 1))
}

# Waits for all of them; the first that fails ends the run.
join() {
  for (( ; running > 0; running--)); do wait -n; done
}
