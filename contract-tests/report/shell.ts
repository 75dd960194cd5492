// The parts that every reproducing script shares, in the shell that POSIX has, with curl and without jq.

/** `send` makes a call, `show` prints its answer, `verdict` ends. A 429 that the run did not get is waited out. */
export const CALL = `folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
differs=0
need() { # variable, value, what it is
  [ -n "$2" ] && return
  echo "set $1: $3" >&2
  exit 2
}
url() { # an id from JSON as part of a URL
  raw=$(printf '%s' "$1" | sed 's/\\\\\\(.\\)/\\1/g')
  case $raw in
    *[!A-Za-z0-9._~-]*) printf '%s' "$raw" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g' ;;
    *) printf '%s' "$raw" ;;
  esac
}
call() { # number and status of the run, method, path, options of curl
  number=$1 was=$2 method=$3 target=$4
  shift 4
  for turn in 1 2 3; do
    : >"$folder/answer"
    status=$(curl -sS -g --max-time 60 -X "$method" -D "$folder/headers" -o "$folder/answer" -w '%{http_code}' -H 'accept: application/json' "$@" "$WM_BASE_URL$target") || exit 2
    [ "$status" = 429 ] && [ "$was" != 429 ] || break
    [ "$turn" = 3 ] || sleep 61
  done
  echo "[$number] $method $target: $status (in the run: $was)"
  [ "$status" = "$was" ] || differs=$((differs + 1))
}
times=1
send() { # the same; so many times
  while [ "$times" -gt 1 ]; do
    times=$((times - 1))
    call "$@"
  done
  call "$@"
}
show() {
  sed 's/^/    /' "$folder/headers" "$folder/answer" | tr -d '\\000-\\010\\013-\\037\\177'
  echo
}
verdict() {
  [ "$differs" = 0 ] && echo 'each call was answered with the status of the run' && exit 0
  echo "$differs calls were answered with another status than in the run"
  exit 1
}`;

/** Reads ids out of answers. */
export const ID = `take() { # the value of a member of the last answer, and which of that name
  grep -oE "\\"$1\\"[[:space:]]*:[[:space:]]*\\"([^\\"\\\\\\\\]|\\\\\\\\.)*\\"" "$folder/answer" | sed -n "$2p" | sed -E 's/^"[^"]*"[[:space:]]*:[[:space:]]*"(.*)"$/\\1/'
}
there() { # name and value of what an answer must give
  [ -n "$2" ] && return
  echo "the last answer gives no $1: the rest cannot be repeated" >&2
  exit 2
}`;

const SALTED = /[0-9a-f]{6}$/;

/** Names as long as those of the run, and others each time: a team's name is unique. */
export const SALT = (runName: string): string => {
  const salt = SALTED.test(runName) ? `'"$(od -An -N3 -tx1 /dev/urandom | tr -d ' \\n')"` : "'";
  return `RUN='${runName.replace(SALTED, '')}${salt}\nRUN_UPPER=$(printf '%s' "$RUN" | tr 'a-z' 'A-Z')`;
};
