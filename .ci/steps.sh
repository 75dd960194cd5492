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

lanes=()
finish() {
  for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done
  rm -rf "$logs"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
