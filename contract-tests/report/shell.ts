// The parts that every reproducing script shares, in the shell that POSIX has, with curl and without jq.
import { STEERING } from './steering.ts';

/** `send` makes a call, `show` prints its response. A 429 that the run did not get is waited out. */
export const CALL = `folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
need() { # variable, value, what it is
  [ -n "$2" ] && return
  echo "set $1: $3" >&2
  exit 2
}
command -v node >"$folder/node" || need node '' 'in the PATH, in version 20 or later'
: >"$folder/renamed"
same() { # the run had this text of JSON, and here it is that one
  printf '["%s","%s"%s]\\n' "$1" "$2" "\${3:-}" >>"$folder/renamed"
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
    : >"$folder/$number.body"
    status=$(curl -sS -g --max-time 60 -X "$method" -D "$folder/$number.headers" -o "$folder/$number.body" -w '%{http_code}' -H 'accept: application/json' "$@" "$WM_BASE_URL$target") || exit 2
    [ "$status" = 429 ] && [ "$was" != 429 ] || break
    [ "$turn" = 3 ] || sleep 61
  done
  echo "$status $was" >"$folder/$number.status"
  echo "[$number] $method $target: $status (in the run: $was)"
}
times=1
send() { # the same; as often as times says
  while [ "$times" -gt 1 ]; do
    times=$((times - 1))
    call "$@"
  done
  call "$@"
}
show() {
  sed 's/^/    | /' "$folder/$number.headers" "$folder/$number.body" | node -e "process.stdout.write(require('fs').readFileSync(0, 'utf8').replace(/(?!\\n)[${STEERING}]/gu, ''))"
  echo
}`;

/** Reads ids out of responses. */
export const ID = `take() { # the value of a member of the last response, and which of that name
  grep -oE "\\"$1\\"[[:space:]]*:[[:space:]]*\\"([^\\"\\\\\\\\]|\\\\\\\\.)*\\"" "$folder/$number.body" | sed -n "$2p" | sed -E 's/^"[^"]*"[[:space:]]*:[[:space:]]*"(.*)"$/\\1/'
}
there() { # name and value of what a response must give
  [ -n "$2" ] && return
  echo "the last response gives no $1: the rest cannot be repeated" >&2
  exit 2
}`;

/** Receives deliveries on a free port of this machine; ends with the script. */
const RECEIVER = `import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const [folder, port, plan, parent] = process.argv.slice(2);
const statuses = JSON.parse(plan);
const seen = {};
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part) => (body += part));
  request.on('end', () => {
    const to = new URL(request.url, 'http://receiver').pathname.split('/').pop();
    const event = to + /"id" *: *"[^"]*"/.exec(body)?.[0];
    seen[event] = (seen[event] ?? 0) + 1;
    const status = statuses[to]?.[seen[event] - 1] ?? 200;
    const { method, headers } = request;
    appendFileSync(folder + '/deliveries', JSON.stringify({ to, method, headers, body, status }) + '\\n');
    response.writeHead(status, { connection: 'close' }).end();
  });
});
receiver.listen(Number(port), '127.0.0.1', () => writeFileSync(folder + '/port', String(receiver.address().port)));
setInterval(() => {
  try {
    process.kill(Number(parent), 0);
  } catch {
    process.exit();
  }
}, 500);`;

/** Starts a receiver, unless the one of WM_WEBHOOK_RECEIVER_URL is another machine's. @param plan JSON: statuses in order, by path */
export const LISTEN = (plan: string): string => `cat >"$folder/receiver.mjs" <<'END'
${RECEIVER}
END
: >"$folder/deliveries"
if [ -z "\${WM_WEBHOOK_RECEIVER_URL:-}" ] || [ -n "\${WM_WEBHOOK_RECEIVER_PORT:-}" ]; then
  node "$folder/receiver.mjs" "$folder" "\${WM_WEBHOOK_RECEIVER_PORT:-0}" ${plan} $$ &
  listener=$!
  trap 'kill "$listener" 2>/dev/null; rm -rf "$folder"' EXIT
  for turn in 1 2 3 4 5 6 7 8 9 10; do
    [ -s "$folder/port" ] && break
    sleep 1
  done
  [ -s "$folder/port" ] || need WM_WEBHOOK_RECEIVER_PORT '' 'the receiver cannot listen: another port'
  WM_WEBHOOK_RECEIVER_URL=\${WM_WEBHOOK_RECEIVER_URL:-http://127.0.0.1:$(cat "$folder/port")}
fi`;

/** Reads what was received, and holds the claims against it. Deliveries are waited for: until all claims hold, or so long. */
const VERDICT = (hold: string): string => `import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
const hold = ${hold};
const [folder, given, seconds] = process.argv.slice(2);
const read = (name) => (existsSync(folder + '/' + name) ? readFileSync(folder + '/' + name, 'utf8') : '');
const json = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const rows = (name) => read(name).split('\\n').flatMap((line) => json(line) ?? []);
const headers = (text) =>
  Object.fromEntries(
    text.trim().split(/\\r?\\n(?=HTTP)/).at(-1).split(/\\r?\\n/).slice(1)
      .map((line) => [line.split(':')[0].toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
const calls = {};
for (const name of readdirSync(folder)) {
  if (!name.endsWith('.status')) continue;
  const number = name.split('.')[0];
  const [status, was] = read(name).split(' ').map(Number);
  calls[number] = { status, was, headers: headers(read(number + '.headers')), body: json(read(number + '.body')), text: read(number + '.body') };
}
const renamed = read('renamed').split('\\n').flatMap((line) => (line ? [json(line) ?? []] : [])).filter((one) => one.length);
const deliveries = () => rows('deliveries').map((one) => ({ ...one, body: json(one.body) }));
const claims = JSON.parse(given);
let result = hold(claims, { calls, deliveries: deliveries(), renamed });
for (let waited = 0; seconds > waited && (result.code !== 0 || waited < seconds / 4); waited += 0.5) {
  await pause(500);
  result = hold(claims, { calls, deliveries: deliveries(), renamed });
}
if (Number(seconds)) for (const { to, body, status } of rows('deliveries')) console.log('delivery to ' + to + ', response ' + status + ': ' + body.replace(/[${STEERING}]/gu, ' '));
for (const line of result.lines) console.log(line.replace(/[${STEERING}]/gu, ' '));
process.exit(result.code);`;

/** Ends the script: 0, 1 or 2. @param claims quoted JSON @param seconds how long deliveries are waited for */
export const JUDGE = (hold: string, claims: string, seconds: number): string => `cat >"$folder/verdict.mjs" <<'END'
${VERDICT(hold)}
END
node "$folder/verdict.mjs" "$folder" ${claims} ${seconds}
case $? in
  0) echo 'The rule holds here.' ;;
  1) echo 'The rule is broken here.' && exit 1 ;;
  *) echo 'It cannot be told here whether the rule holds.' && exit 2 ;;
esac`;

const SALTED = /[0-9a-f]{6}$/;

/** Names as long as those of the run, and others each time: a team's name is unique. */
export const SALT = (runName: string): string => {
  const salt = SALTED.test(runName) ? `'"$(od -An -N3 -tx1 /dev/urandom | tr -d ' \\n')"` : "'";
  return `RUN='${runName.replace(SALTED, '')}${salt}\nRUN_UPPER=$(printf '%s' "$RUN" | tr 'a-z' 'A-Z')`;
};
